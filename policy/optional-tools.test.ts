import { expect, test } from 'vitest'
import { aTool } from '../catalog/testing/a-tool.ts'
import { isOptionalToolNamed } from './optional-tools.ts'
import { policySettings } from './testing/policy-settings.ts'

const risky = aTool({ owner: 'demo', name: 'risky' })

test.each([
  [{ allow: ['plugin:demo:risky'] }, true],
  [{ alsoAllow: ['RISKY'] }, true],
  [{ allow: ['group:demo'] }, true],
  [{ groups: { own: ['risky'] }, alsoAllow: ['group:own'] }, true],
  [{ profiles: { p: { allow: ['risky'], deny: [] } } }, true],
  [{ allow: ['*'] }, false],
  [{ allow: ['group:plugins'] }, false],
  [{ deny: ['risky'] }, false],
  [{}, false],
])('an optional tool under %j is named: %s', (tools, expected) => {
  expect(isOptionalToolNamed(policySettings(tools), risky)).toBe(expected)
})

test('the list of any agent can name it', () => {
  expect(isOptionalToolNamed(policySettings({}, { a: { alsoAllow: ['risky'] } }), risky)).toBe(true)
})
