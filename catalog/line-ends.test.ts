import { expect, test } from 'vitest'
import { withPlainLineEnds, withPlainLineEndsIn } from './line-ends.ts'

const ODD = 'a\u0085b\u2028c\u2029d’é😀\u2027\u202a'
const json = JSON.stringify({ text: ODD })

test('no reader finds an end of a line within a message, and all read the same', () => {
  const written = withPlainLineEnds(json)
  expect(written).not.toMatch(/[\u0085\u2028\u2029]/)
  expect(JSON.parse(written)).toEqual({ text: ODD })
  expect(Buffer.from(withPlainLineEndsIn(Buffer.from(json))).toString()).toBe(written)
})

test('bytes that stand otherwise stay as they are, also where a character is cut', () => {
  const plain = Buffer.from('data: ’é😀\n\n')
  expect(withPlainLineEndsIn(plain)).toBe(plain)
  const whole = Buffer.from(`😀${json}`)
  const parts = [whole.subarray(0, 2), whole.subarray(2, -4), whole.subarray(-4)].map(withPlainLineEndsIn)
  expect(Buffer.concat(parts).toString()).toBe(`😀${withPlainLineEnds(json)}`)
})
