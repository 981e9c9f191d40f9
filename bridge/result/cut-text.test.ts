import { assert, nat, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutText, cutTextWithMark } from './cut-text.ts'

const family = '👨‍👩‍👧‍👦'

describe('cutText', () => {
  test('text that fits is left whole', () => {
    expect(cutText('abc', 3)).toBe('abc')
    expect(cutText('', 0)).toBe('')
  })

  test('a surrogate pair is kept whole or left out', () => {
    expect(cutText('a😀b', 4)).toBe('a')
    expect(cutText('a😀b', 5)).toBe('a😀')
  })

  test('an emoji of several joined parts is kept whole or left out', () => {
    expect(cutText(`ab${family}`, 12)).toBe('ab')
    expect(cutText(`${family}${family}`, 30)).toBe(family)
  })

  test('a letter keeps its accent', () => {
    expect(cutText('cafe\u0301', 4)).toBe('caf')
  })

  test('a lone surrogate becomes the replacement character', () => {
    expect(cutText('a\ud83d', 10)).toBe('a\ufffd')
  })

  test('a letter under a thousand accents does not swallow the text before it', () => {
    const cut = cutText(`hello e${'\u0301'.repeat(1000)}`, 100)
    expect(Buffer.byteLength(cut)).toBeGreaterThan(90)
  })

  test('whatever the text, the cut fits, begins the text and holds no lone surrogate', () => {
    assert(
      property(string({ unit: 'binary', maxLength: 60 }), nat(80), (text, maxBytes) => {
        const cut = cutText(text, maxBytes)
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes)
        expect(text.toWellFormed().startsWith(cut)).toBe(true)
        expect(cut.isWellFormed()).toBe(true)
        expect(cutText(cut, maxBytes)).toBe(cut)
      }),
    )
  })

  test('a long text is cut in a time that does not depend on its length', () => {
    expect(cutText('é'.repeat(5_000_000), 101)).toBe('é'.repeat(50))
  })
})

describe('cutTextWithMark', () => {
  test('the mark says that something was cut, and counts', () => {
    expect(cutTextWithMark('abcdefgh', 6)).toBe('abc…')
    expect(cutTextWithMark('abcdef', 6)).toBe('abcdef')
  })

  test('where there is no room for the mark there is none', () => {
    expect(cutTextWithMark('abcdef', 2)).toBe('ab')
  })
})
