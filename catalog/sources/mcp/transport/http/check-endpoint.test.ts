import { expect, test } from 'vitest'
import { McpConnectError } from '../../errors.ts'
import { checkEndpoint } from './check-endpoint.ts'

const url = 'https://mcp.example/'

test.each([
  ['a token and a second line, as a command prints them', 's3cret\r\nx-other: 1', 'more than one line'],
  ['letters of another script', 's3cret ☃', 'a character that a header cannot carry'],
  ['a zero byte', 's3cret\0', 'a character that a header cannot carry'],
])('a header of %s is named, and its value is not', (_what, value, why) => {
  const check = (): void => checkEndpoint({ url, headers: { 'x-key': value } })
  expect(check).toThrow(McpConnectError)
  expect(check).toThrow(`header "x-key" holds ${why}; correct`)
  expect(check).not.toThrow('s3cret')
})

test.each(['', 'Bearer a.b-c', 'grüße', ' padded '])('a header of %j is taken', (value) => {
  expect(() => checkEndpoint({ url, headers: { 'x-key': value } })).not.toThrow()
})

test.each(['ftp://mcp.example/', 'mcp.example'])('the url %s is refused', (odd) => {
  expect(() => checkEndpoint({ url: odd })).toThrow('not an http or https url')
})
