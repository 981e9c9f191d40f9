import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FrameReader, encodeFrame } from './frames.ts'
import { FRAME_MAX_BYTES } from './limits.ts'
import { ProtocolError } from './protocol.ts'

describe('frames', () => {
  test('come out whole however the bytes are cut', () => {
    const commands = [
      { t: 'prepare' },
      { t: 'answer', run: 1, id: 2, kind: 1, json: '"ä€😀"', now: 3, timeoutMs: 4 },
    ] as const
    const bytes = Buffer.concat(commands.map(encodeFrame))
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
        const reader = new FrameReader()
        const texts: string[] = []
        let offset = 0
        for (let index = 0; offset < bytes.length; index++) {
          const size = sizes[index % sizes.length] ?? 1
          texts.push(...reader.push(bytes.subarray(offset, offset + size)))
          offset += size
        }
        expect(texts.map((text) => JSON.parse(text))).toEqual(commands)
      }),
    )
  })

  test('beyond the bound are refused by their header', () => {
    const header = Buffer.alloc(4)
    header.writeUInt32LE(FRAME_MAX_BYTES + 1)
    expect(() => new FrameReader().push(header)).toThrow(ProtocolError)
  })
})
