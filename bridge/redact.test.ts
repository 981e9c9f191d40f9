import { assert, constantFrom, array, json, property, string, oneof } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startCpuClock } from '../catalog/testing/start-cpu-clock.ts'
import type { JsonValue } from '../catalog/json.ts'
import { createRedactor } from './redact.ts'

const redactor = createRedactor()
const redact = (text: string): string => redactor.text(text)
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1g'
const PEM = `-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----`

describe('what is redacted', () => {
  test.each<[string, string]>([
    ['token=SECRET-TOKEN-1', 'token=[redacted]'],
    ['failed at /srv/app.js: token=abc, retry', 'failed at /srv/app.js: token=[redacted], retry'],
    ['password=hunter2 user=bob', 'password=[redacted] user=bob'],
    ['password: hunter2', 'password: [redacted]'],
    ['password = "correct horse battery"', 'password = "[redacted]"'],
    ['OPENAI_API_KEY=abcdef', 'OPENAI_API_KEY=[redacted]'],
    ['export DB_PASSWORD="p w"', 'export DB_PASSWORD="[redacted]"'],
    ['client_secret=x&grant=y', 'client_secret=[redacted]&grant=y'],
    ['https://x.test/a?token=abc&page=2#top', 'https://x.test/a?token=[redacted]&page=2#top'],
    ['https://x.test/a?key=AB12cd34EF&page=2', 'https://x.test/a?key=[redacted]&page=2'],
    ['https://bob:hunter2@x.test/a', 'https://bob:[redacted]@x.test/a'],
    ['postgres://app:p4ss@db:5432/x', 'postgres://app:[redacted]@db:5432/x'],
    ['?X-Amz-Signature=0a1b2c3d4e5f&X-Amz-Date=1', '?X-Amz-Signature=[redacted]&X-Amz-Date=1'],
    ['Authorization: Bearer abc.def', 'Authorization: [redacted]'],
    ['authorization: custom-word', 'authorization: [redacted]'],
    ['Cookie: a=1; b=2', 'Cookie: [redacted]'],
    ['sent Bearer 0123456789abcdef to it', 'sent Bearer [redacted] to it'],
    ['Basic dXNlcjpwYXNz', 'Basic [redacted]'],
    ['{"apiKey":"abc","n":1}', '{"apiKey":"[redacted]","n":1}'],
    ['{"password":12345,"n":1}', '{"password":"[redacted]","n":1}'],
    ['{"token":null,"secret":{"a":1}}', '{"token":null,"secret":{"a":1}}'],
    [String.raw`"{\"password\":\"hunter2\",\"n\":1}"`, String.raw`"{\"password\":\"[redacted]\",\"n\":1}"`],
    ["{ 'access_token': 'abc' }", "{ 'access_token': '[redacted]' }"],
    ['curl --password hunter2 --user bob', 'curl --password [redacted] --user bob'],
    ['tool --api-key=abc', 'tool --api-key=[redacted]'],
    ['config.db.password=x1', 'config.db.password=[redacted]'],
    [`key is sk-proj-${'a1'.repeat(12)}!`, 'key is [redacted]!'],
    [`ghp_${'a1'.repeat(18)}`, '[redacted]'],
    ['xoxb-1234567890-abcdefgh', '[redacted]'],
    ['AKIAIOSFODNN7EXAMPLE', '[redacted]'],
    [`jwt ${JWT} end`, 'jwt [redacted] end'],
    [`a\n${PEM}\nb`, 'a\n[redacted]\nb'],
    [PEM.slice(0, 45), '[redacted]'],
    [`db_${'aB3'.repeat(14)}x`, '[redacted]'],
    ['AIzaSyA1234567890abcdefghijklmnopqrstuv', '[redacted]'],
  ])('%s', (given, wanted) => expect(redact(given)).toBe(wanted))
})

describe('ordinary text is left', () => {
  test.each([
    'the token limit is 4096',
    'token limit: 4096 tokens',
    'max_tokens=100',
    'the key is under the mat',
    'press key=Enter to go on',
    'password must be 8 characters',
    'password: must be 8 characters',
    'password: required',
    '"password": { "type": "string" }',
    'secret: the garden behind the house',
    'bearer authentication is supported',
    'basic information about the tool',
    'Bearer tokens are short',
    'a state=open issue and code=404',
    'nextPageToken=abc123',
    '{"next_page_token":"abc123"}',
    'import { token } from "x"',
    'sk-learn-contrib-with-a-long-name',
    'db_connection_pool_size_for_all_tenants',
    'https://x.test/a@b?page=2',
    'mail bob@x.test at 10:30',
    'error in tokenizer: unexpected token ")"',
    'unexpected token: }',
    'see docs: https://x.test/tokens/create',
    'passwords=2',
    'const secretSanta = 3',
    'design: a=1',
    'a compass: north',
    '-----BEGIN CERTIFICATE-----\nabc',
    'author: Bob',
  ])('%s', (text) => expect(redact(text)).toBe(text))
})

describe('exact secrets and patterns', () => {
  test('a configured secret is found as it is, in a URL, inside JSON text and in Base64', () => {
    const secret = 'p&ss "word"/1'
    const known = createRedactor({ secrets: [secret] })
    for (const written of [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret),
      Buffer.from(secret).toString('base64'),
    ]) {
      expect(known.text(`a ${written} b`)).toMatch(/^a "?\[redacted\]=*"? b$/)
    }
  })

  test('a secret that holds another is replaced whole', () => {
    expect(createRedactor({ secrets: ['abcdef', 'abcdefgh'] }).text('x abcdefgh y')).toBe('x [redacted] y')
  })

  test('a secret that is too short to tell from words is left', () => {
    expect(createRedactor({ secrets: ['', 'a'] }).text('a banana')).toBe('a banana')
  })

  test('a configured pattern is replaced', () => {
    expect(createRedactor({ patterns: ['ACME-\\d+'] }).text('see ACME-123, ACME-x')).toBe('see [redacted], ACME-x')
  })

  test('a pattern that cannot run in linear time is refused by name', () => {
    expect(() => createRedactor({ patterns: ['(a)\\1'] })).toThrow(/redact pattern "\(a\)\\\\1"/)
  })
})

describe('json', () => {
  test('values of keys that name secrets are replaced, the rest stays', () => {
    const value = { user: 'bob', password: 'x', nested: [{ api_key: 'y', n: 1, token: null }], note: 'token=abc' }
    expect(redactor.json(value)).toEqual({
      user: 'bob',
      password: '[redacted]',
      nested: [{ api_key: '[redacted]', n: 1, token: null }],
      note: 'token=[redacted]',
    })
  })

  test('whatever stands below such a key is replaced', () => {
    expect(redactor.json({ credentials: { user: 'u', list: ['a', 5, true] } })).toEqual({
      credentials: { user: '[redacted]', list: ['[redacted]', '[redacted]', true] },
    })
  })

  test('lists of names and values are understood', () => {
    expect(
      redactor.json([
        { name: 'Authorization', value: 'abc' },
        { name: 'Accept', value: 'abc' },
      ]),
    ).toEqual([
      { name: 'Authorization', value: '[redacted]' },
      { name: 'Accept', value: 'abc' },
    ])
  })

  test('a hundred thousand levels are no reason to fail', () => {
    let deep: JsonValue = 'token=abc'
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(JSON.stringify(redactor.json(deep))).not.toContain('abc')
  })

  test('an own key __proto__ stays an own key', () => {
    const value: JsonValue = JSON.parse('{"__proto__":{"password":"x"}}')
    expect(JSON.stringify(redactor.json(value))).toBe('{"__proto__":{"password":"[redacted]"}}')
  })
})

describe('properties', () => {
  const pieces = constantFrom(
    'token=',
    'password: ',
    '"apiKey":"',
    "'",
    '"',
    '\\"',
    'Bearer ',
    'sk-abcDEF123456789012',
    'https://a:b@c',
    '[redacted]',
    'key=',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    ' ',
    '\n',
    '&',
    '=',
    ':',
    'authorization: ',
    '--token ',
    JWT,
    'ab1CD2ef',
    'x',
  )
  const texts = oneof(
    array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
    string({ unit: 'binary' }),
  )

  test('a second time changes nothing', () => {
    assert(
      property(texts, (text) => {
        expect(redact(redact(text))).toBe(redact(text))
      }),
      { numRuns: 2_000 },
    )
  })

  test('JSON text stays JSON', () => {
    assert(
      property(json({ maxDepth: 3 }), texts, (source, text) => {
        const line = JSON.stringify({ msg: text, password: text, token: 5, data: source, more: JSON.parse(source) })
        expect(() => JSON.parse(redact(line))).not.toThrow()
      }),
      { numRuns: 1_000 },
    )
  })

  test('json is idempotent too', () => {
    assert(
      property(json({ maxDepth: 4 }), (source) => {
        const once = redactor.json(JSON.parse(source))
        expect(redactor.json(once)).toEqual(once)
      }),
    )
  })

  test.each([
    'token=',
    'token="',
    '-----BEGIN PRIVATE KEY-----',
    'a.',
    'https://',
    'eyJ',
    'Bearer ',
    'sk-',
    "key='x ",
    '\\',
    'password: a ',
  ])('a megabyte of %j takes no longer than its length', (piece) => {
    const small = timed(piece.repeat(Math.ceil(50_000 / piece.length)))
    const large = timed(piece.repeat(Math.ceil(800_000 / piece.length)))
    // Sixteen times the text; quadratic work would be 256 times.
    expect(large).toBeLessThan(Math.max(small, 2) * 100)
  })
})

/** CPU time in ms, the least of several. */
function timed(text: string): number {
  const times = Array.from({ length: 5 }, () => {
    const spentMs = startCpuClock()
    redact(text)
    return spentMs()
  })
  return Math.min(...times)
}
