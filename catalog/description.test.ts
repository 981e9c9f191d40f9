import { describe, expect, test } from 'vitest'
import { cutDescription, describeTool } from './description.ts'
import type { JsonObject } from './json.ts'
import { signatureOf } from './signature.ts'
import type { ToolDefinition } from './tool.ts'
import { createTool } from './tool.ts'

const small: ToolDefinition = {
  name: 'book_room',
  title: 'Book a room',
  description: 'Book a meeting room.',
  inputSchema: { type: 'object', properties: { room: { $ref: '#/$defs/Room' } }, $defs: { Room: { type: 'string' } } },
  outputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  annotations: { destructiveHint: false },
  examples: [{ room: 'Blue' }],
}

const describeIt = (definition: ToolDefinition, maxBytes = 12_288) =>
  describeTool(createTool('mcp', 'office', definition), {
    maxBytes,
    signature: (tool, maxChars = 8_000) => signatureOf(tool, { maxChars }),
  })

/** So many properties that no answer holds their schema. */
function wideSchema(count: number, description: string): JsonObject {
  const properties = Array.from({ length: count }, (_, place) => [`field_${place}`, { type: 'string', description }])
  return { type: 'object', properties: Object.fromEntries(properties), required: ['field_0'] }
}

describe('a description', () => {
  test('holds the schemas as stored, root definitions included, annotations, examples and the hash', () => {
    const { schemaHash } = createTool('mcp', 'office', small)
    expect(describeIt(small)).toMatchObject({
      id: 'mcp:office:book_room',
      title: 'Book a room',
      inputSchema: small.inputSchema,
      outputSchema: small.outputSchema,
      annotations: { destructiveHint: false },
      examples: [{ room: 'Blue' }],
      schemaHash,
    })
    expect(describeIt(small)).not.toHaveProperty('notes')
  })

  test('leaves out what does not fit, and says how to read it', () => {
    const described = describeIt({ ...small, inputSchema: wideSchema(500, 'A field of the form') })
    expect(described).not.toHaveProperty('inputSchema')
    expect(described).toHaveProperty('outputSchema')
    expect(described.notes?.[0]).toMatch(/^inputSchema left out.*of: "input"/)
    expect(described.signature).toContain('field_0: string')
    const result = describeIt({ ...small, outputSchema: wideSchema(500, 'A field of the form') })
    expect(result.notes?.[0]).toMatch(/^outputSchema left out.*of: "output"/)
  })

  test.each(['x', '字', '😀', '"\\\n', '\u0001', '*/'])(
    'of texts of %j stays within its bytes, whole characters only',
    (unit) => {
      for (const maxBytes of [3_000, 12_288]) {
        const text = unit.repeat(5_000)
        const described = describeIt(
          { ...small, title: text, description: text, inputSchema: wideSchema(200, unit.repeat(150)) },
          maxBytes,
        )
        const json = JSON.stringify(described)
        // The note on what was left out comes on top.
        expect(Buffer.byteLength(json)).toBeLessThan(maxBytes + 500)
        expect(json).not.toMatch(/\\ud[89a-f]|\ufffd/)
        expect(described.signature).toContain('field_0: string')
      }
    },
  )

  test('in a hit is its beginning, cut between characters', () => {
    expect(cutDescription(`  ${'a'.repeat(238)}😀😀`)).toBe(`${'a'.repeat(238)}…`)
  })
})
