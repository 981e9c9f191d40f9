import { expect, test } from 'vitest'
import { quotedTemplateNotice } from './quoted-template.ts'

test.each([
  "const r = await tools.a.b({})\nreturn 'sum is ${r.sum}'",
  'const name = "Ann"\nawait tools.a.b({ text: "Hello ${name}, welcome" })',
  "for (const x of list) out.push('- ${x.title.trim()}')",
])('a value in ordinary quotes is told not to be one: %s', (code) => {
  expect(quotedTemplateNotice(code)?.message).toContain('in backquotes')
})

test.each([
  "return (await tools.a.b({ text: 'use ${HOME}' })).said",
  'const name = 1\nreturn `a ${name}`',
  "const r = 1\n// 'it is ${r}'\nreturn r",
  "const cost = 5\nreturn 'cost: $' + cost + '{}'",
])('what no value of the program was meant by is left alone: %s', (code) => {
  expect(quotedTemplateNotice(code)).toBeUndefined()
})
