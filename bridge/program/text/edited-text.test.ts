import { array, assert, nat, property, string, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyEdits, unedited } from './edited-text.ts'

describe('applyEdits', () => {
  test('places in what was not edited lead back to themselves', () => {
    const edited = applyEdits(unedited('const a = 1'), [
      { start: 0, end: 6, text: '' },
      { start: 10, end: 11, text: '(2)' },
    ])
    expect(edited.text).toBe('a = (2)')
    expect(edited.toSource(0)).toBe(6)
    expect(edited.toSource(2)).toBe(8)
    expect(edited.toSource(99)).toBe(11)
  })

  test('places in what was put in lead to where it was put', () => {
    const edited = applyEdits(unedited('x'), [{ start: 0, end: 0, text: 'return ' }])
    expect([0, 3, 7].map(edited.toSource)).toEqual([0, 0, 0])
    expect(edited.toSource(8)).toBe(1)
  })

  test('of two edits of one place the later is left out', () => {
    const edits = [
      { start: 0, end: 3, text: 'A' },
      { start: 1, end: 2, text: 'B' },
    ]
    expect(applyEdits(unedited('abcd'), edits).text).toBe('Ad')
  })

  test('after any edits, twice over, every kept character leads back to itself', () => {
    const edits = array(tuple(nat(30), nat(5), string({ maxLength: 3 })), { maxLength: 6 }).map((all) =>
      all.map(([start, length, text]) => ({
        start,
        end: Math.min(start + length, 30),
        text: text.replace(/[A-Z]/g, 'x'),
      })),
    )
    const source = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.padEnd(30, '-')
    assert(
      property(edits, edits, (first, second) => {
        const once = applyEdits(unedited(source), first)
        const within = second.filter(({ end }) => end <= once.text.length)
        const twice = applyEdits(
          once,
          within.map((edit) => ({ ...edit, end: Math.max(edit.start, edit.end) })),
        )
        const kept = twice.text
          .split('')
          .flatMap((char, offset) => (/[A-Z]/.test(char) ? [[char, source[twice.toSource(offset)]]] : []))
        expect(kept.every(([char, original]) => char === original)).toBe(true)
      }),
    )
  })
})
