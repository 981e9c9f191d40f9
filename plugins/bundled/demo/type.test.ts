import { expect, test } from 'vitest'
import { Type as TypeBox } from '../../sdk.ts'
import { Type } from './type.ts'

function schemaBy(words: Pick<typeof TypeBox, keyof typeof Type>): object {
  const line = words.Object({ text: words.String({ minLength: 1 }), count: words.Optional(words.Integer()) })
  return words.Object(
    {
      lines: words.Array(line, { maxItems: 9 }),
      plan: words.Enum(['trial', 'standard']),
      status: words.Optional(words.Enum(['open', 'closed'], { default: 'open' })),
      more: words.Optional(words.Object({ note: words.Optional(words.String()) }, { minProperties: 1 })),
    },
    { additionalProperties: false },
  )
}

test('a schema of the demo is, byte for byte, the one that TypeBox makes', () => {
  expect(JSON.stringify(schemaBy(Type))).toBe(JSON.stringify(schemaBy(TypeBox)))
})
