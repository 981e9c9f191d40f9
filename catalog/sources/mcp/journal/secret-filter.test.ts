import { expect, test } from 'vitest'
import { createSecretFilter, publicUrl } from './secret-filter.ts'

test('header values are masked whole and without their scheme', () => {
  const mask = createSecretFilter({ url: 'https://x.test', headers: { authorization: 'Bearer abcdef123' } })
  expect(mask('sent "Bearer abcdef123" and abcdef123 alone')).toBe('sent "[secret]" and [secret] alone')
})

test('user info and query of a url are masked, and left out where the url is shown', () => {
  const url = 'https://user:passw0rd@x.test/mcp?api_key=k%3Dey-123#top'
  const mask = createSecretFilter({ url })
  expect(mask('passw0rd, k=ey-123 and k%3Dey-123')).toBe('[secret], [secret] and [secret]')
  expect(publicUrl(url)).toBe('https://x.test/mcp')
})

test('environment values are masked, words of a few letters are not', () => {
  const mask = createSecretFilter({ command: 'x', env: { TOKEN: 'abcdef', DEBUG: '1', MODE: 'prod' } })
  expect(mask('1 in prod with abcdef')).toBe('1 in prod with [secret]')
})
