import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { startCpuClock } from '../../testing/start-cpu-clock.ts'
import { linearPattern } from './pattern.ts'

const PATTERNS = [
  '^[a-z]+$',
  '^[a-z0-9-]{1,63}$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^\\S+@\\S+\\.\\S+$',
  '^[\\w.+-]+@([\\w-]+\\.)+[\\w-]{2,}$',
  '^(foo|bar)(,(foo|bar))*$',
  '^\\s*\\S',
  '[^\\s]',
  '[\\s\\S]',
  '[\\S]x',
  '.',
  '^.+$',
  '^.{2,4}$',
  'a|b$',
  '^$',
  '\\bcat\\b',
  '^[A-Z][a-z]*( [A-Z][a-z]*)*$',
  '^(?:\\+|-)?\\d+(?:\\.\\d+)?$',
  '^#[0-9a-fA-F]{6}$',
  '^\\/[a-z/]*$',
  '^[^/]+\\/[^/]+$',
  '\\u0041+',
  '\\x41',
  '^\\p{L}+$',
  '^(a+)+$',
  '^(a|aa)+$',
  '[a.b]',
  '[\\]a]',
  '^a\\.b$',
  '^[.]$',
  'x*',
  '^(?<year>\\d{4})$',
]

describe('linearPattern', () => {
  test.each(PATTERNS)('%s matches what ECMAScript matches', (pattern) => {
    const compiled = linearPattern(pattern)
    if (compiled.kind === 'refused') throw new Error(`refused: ${compiled.reason}`)
    const native = new RegExp(pattern, 'u')
    const characters = fc.constantFrom(
      ...Array.from('abxyzAZ019 .-_/@#+,cat\n\r\t\v\f\u00a0\u2028\u2029\ufeff\u3000é天😀]'),
    )
    const texts = fc.oneof(
      fc.stringMatching(/^[a-z0-9@.#/+-]{0,12}$/),
      fc.array(characters, { maxLength: 8 }).map((parts) => parts.join('')),
      fc.constantFrom(
        '',
        'foo,bar',
        'a@b.cc',
        '2020-01-01',
        '-1.5',
        '#00ffAA',
        'Cat Dog',
        'a.b',
        'AAA',
        '2024',
        'the cat sat',
      ),
    )
    fc.assert(
      fc.property(texts, (text) => {
        expect(compiled.test(text)).toBe(native.test(text))
      }),
      { numRuns: 200 },
    )
  })

  test.each([
    ['lookahead', '^(?=a)b'],
    ['negative lookahead', '^(?!a)'],
    ['lookbehind', '(?<=a)b'],
    ['negative lookbehind', '(?<!a)b'],
    ['a backreference', '^(a)\\1$'],
    ['a named backreference', '^(?<a>x)\\k<a>$'],
    ['what is no pattern', '^(a'],
    ['a Python group', '(?P<a>x)'],
    ['inline flags', '(?i)abc'],
    ['a PCRE anchor', '\\Aabc\\z'],
    ['a POSIX class', '[[:alpha:]]'],
    ['a lone surrogate', '[\\uD800-\\uDBFF]'],
    ['a very long pattern', 'a'.repeat(1_001)],
    ['many repetitions', '(ab){999}(cd){999}(ef){999}'],
    ['nested repetitions', '(?:(?:a{50}b){50}c){50}'],
    ['a large automaton', '(a|b)*(?:a|b|cc){900}'],
  ])('refuses %s', (_what, pattern) => {
    expect(linearPattern(pattern)).toMatchObject({ kind: 'refused' })
  })

  test.each(['^(a+)+$', '^(a|a)*$', '^(\\w+\\s?)*$', '(a|b)*a(a|b){20}$', '(.*a){20}', '^([a-z]+)*[a-z]+$'])(
    '%s takes twice the time on twice the text, not its square',
    (pattern) => {
      const compiled = linearPattern(pattern)
      if (compiled.kind === 'refused') throw new Error(compiled.reason)
      const milliseconds = (length: number) => {
        const text = `${'ab'.repeat(length / 2)}!`
        const spentMs = startCpuClock()
        compiled.test(text)
        return spentMs()
      }
      milliseconds(2_000)
      // 16 times the text: a quadratic matcher takes 256 times, an exponential one never ends.
      const short = Math.max(1, milliseconds(4_000))
      expect(milliseconds(64_000) / short).toBeLessThan(120)
    },
  )
})
