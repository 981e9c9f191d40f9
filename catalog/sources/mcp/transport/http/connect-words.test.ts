import { expect, test } from 'vitest'
import { connectWords } from './connect-words.ts'

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'NODE_EXTRA_CA_CERTS'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'NODE_EXTRA_CA_CERTS'],
  ['CERT_HAS_EXPIRED', 'is not valid'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'of another host'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'may not speak TLS'],
  ['ENOTFOUND', 'check its url'],
  ['UND_ERR_SOCKET', 'may want https'],
])('of %s it is said what to do', (code, way) => {
  expect(connectWords(code)).toMatch(new RegExp(`^ \\(${code}\\); .*${way}`))
})

test('of another code nothing but that is said', () => {
  expect(connectWords('ECONNREFUSED')).toBe(' (ECONNREFUSED)')
})
