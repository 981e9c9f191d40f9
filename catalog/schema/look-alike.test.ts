import { describe, expect, test } from 'vitest'
import { nameProblem } from './look-alike.ts'

describe('nameProblem', () => {
  test.each([
    'create_issue',
    'read-file',
    'files/read.text',
    'Read File',
    'a:b',
    'créer_événement',
    'größe',
    'tìm_kiếm',
    'создать_задачу',
    'создать_issue',
    'текст_сумма_тема',
    'ημερολόγιο',
    '天気を調べる',
    'get天気',
    'カレンダー_create',
    '날씨_조회',
    'مترجم',
    'מזג_אוויר',
    'emoji_😀',
    'x'.repeat(256),
  ])('lets %s be', (name) => {
    expect(nameProblem(name)).toBeUndefined()
  })

  test.each([
    ['an empty name', ''],
    ['spaces alone', '  '],
    ['a line break', 'read\nfile'],
    ['a null character', 'read\0file'],
    ['an escape sequence', 'read\u001b[31m'],
    ['a right-to-left override', 'read_\u202Eelif'],
    ['a bidirectional isolate', 'read\u2066file'],
    ['a zero-width space', 'read\u200Bfile'],
    ['a zero-width joiner', 'read\u200Dfile'],
    ['a word joiner', 'read\u2060file'],
    ['a byte order mark', '\uFEFFread'],
    ['a soft hyphen', 'read\u00ADfile'],
    ['a variation selector', 'read\uFE0Ffile'],
    ['tag characters', 'read\u{E0072}\u{E006D}'],
    ['a Hangul filler', 'read\u3164'],
    ['a blank braille cell', 'read\u2800'],
    ['a lone surrogate', 'read\uD800'],
    ['a private character', 'read\uE000'],
    ['a line separator', 'read\u2028file'],
    ['a no-break space', 'read\u00A0file'],
    ['a space at the end', 'read_file '],
    ['a hyphen that is none', 'read\u2010file'],
    ['a colon that is none', 'plugin\uA789github'],
    ['full-width letters', 'ｒｅａｄ'],
    ['mathematical letters', '\u{1D42B}ead'],
    ['a Roman numeral for a letter', 'de\u217Cete'],
    ['a ligature', '\uFB01le'],
    ['a letter and a loose mark', 'cre\u0301er'],
    ['one Cyrillic letter in a Latin word', 'cre\u0430te_issue'],
    ['one Greek letter in a Latin word', 'd\u03BFwnload'],
    ['a word of Cyrillic doubles', '\u0441\u043E\u0440\u0443_file'],
    ['a word of Greek capitals', '\u0391\u03A1\u0399'],
    ['a Cherokee word', '\u13E2\u13AA\u13DF\u13AC'],
    ['a dotless i', 'del\u0131te'],
    ['a script g', '\u0261et'],
    ['Armenian letters in a Latin word', 'l\u0585gin'],
  ])('quarantines %s', (_what, name) => {
    expect(nameProblem(name)).toBeTypeOf('string')
  })

  test('says which character it found without showing it', () => {
    expect(nameProblem('read_\u202Eelif')).toBe('name has the hidden character U+202E')
    expect(nameProblem('\u0441\u043E\u0440\u0443')).toBe('name has a word of Cyrillic letters that looks like "copy"')
  })

  test('counts the whole id where it is given', () => {
    expect(nameProblem('x'.repeat(257))).toContain('257')
    expect(nameProblem('x'.repeat(200), `mcp:${'o'.repeat(60)}:${'x'.repeat(200)}`)).toContain('265')
    expect(nameProblem('x'.repeat(200), `mcp:owner:${'x'.repeat(200)}`)).toBeUndefined()
  })
})
