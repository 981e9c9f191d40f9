import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mendArguments } from './mend-arguments.ts'

describe('arguments of a call', () => {
  test.each<[string, string, unknown]>([
    ['that are JSON stay', '{"a": "x\\ny"}', { a: 'x\ny' }],
    ['that are empty are none', '  ', {}],
    [
      'with line breaks inside a text',
      '{"code": "const a = 1\nreturn \\"a\\"\t+ a"}',
      { code: 'const a = 1\nreturn "a"\t+ a' },
    ],
    ['with line breaks between members too', '{\n  "a": "x\r\ny",\n  "b": 1\n}', { a: 'x\r\ny', b: 1 }],
    ['in a fence', '```json\n{"a": 1}\n```', { a: 1 }],
    ['after an empty object', '{}{"a": 1}', { a: 1 }],
    ['that are null are none', 'null', {}],
    ['that are an empty list are none', ' [ ] ', {}],
    ['that are JSON inside of JSON', '"{\\"a\\": 1}"', { a: 1 }],
    ['that are another list stay', '[1]', [1]],
    ['that are a text stay', '"return 1"', 'return 1'],
    ['that come twice', '{"a": 1}{"a": 1}', { a: 1 }],
  ])('%s', (_name, text, value) => {
    expect(JSON.parse(mendArguments(text))).toEqual(value)
  })

  test.each(['{"code": "return 1', 'return 1', '{"a": 1}{"b": 2}', "{'a': 1}", '{"a": 1,}'])(
    '%j, which could mean several things, stays',
    (text) => {
      expect(mendArguments(text)).toBe(text)
    },
  )

  test('are what was meant, whatever text stands in them with only its quotes escaped', () => {
    const unit = fc.constantFrom('a', '"', '\\', '\n', '\r', '\t', '\u0000', '{', '}', '`')
    const text = fc.string({ unit, maxLength: 30 })
    const sloppy = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`
    fc.assert(
      fc.property(text, text, (code, other) => {
        expect(JSON.parse(mendArguments(`{"code": ${sloppy(code)}, "other": ${sloppy(other)}}`))).toEqual({
          code,
          other,
        })
      }),
    )
  })
})
