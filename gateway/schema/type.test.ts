import type { Static as TypeBoxStatic } from 'typebox'
import { Type as TypeBox } from 'typebox'
import { expect, expectTypeOf, test } from 'vitest'
import type { Static } from './type.ts'
import { Type } from './type.ts'

const ours = Type.Object(
  {
    text: Type.String({ minLength: 1, 'x-expected': 'words' }),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    isOn: Type.Boolean({ default: false }),
    mode: Type.Enum(['code', 'tools'], { description: 'How.' }),
    list: Type.Array(Type.Enum(['a']), { default: [], maxItems: 3 }),
    either: Type.Union([Type.Boolean(), Type.Object({ deep: Type.Optional(Type.String()) })]),
    any: Type.Record(Type.String(), Type.Unknown()),
    named: Type.Record(Type.String({ pattern: '^a' }), Type.String(), { additionalProperties: false }),
  },
  { additionalProperties: false },
)
const theirs = TypeBox.Object(
  {
    text: TypeBox.String({ minLength: 1, 'x-expected': 'words' }),
    count: TypeBox.Optional(TypeBox.Integer({ minimum: 1, maximum: 9 })),
    isOn: TypeBox.Boolean({ default: false }),
    mode: TypeBox.Enum(['code', 'tools'], { description: 'How.' }),
    list: TypeBox.Array(TypeBox.Enum(['a']), { default: [], maxItems: 3 }),
    either: TypeBox.Union([TypeBox.Boolean(), TypeBox.Object({ deep: TypeBox.Optional(TypeBox.String()) })]),
    any: TypeBox.Record(TypeBox.String(), TypeBox.Unknown()),
    named: TypeBox.Record(TypeBox.String({ pattern: '^a' }), TypeBox.String(), { additionalProperties: false }),
  },
  { additionalProperties: false },
)

test('a schema is, byte for byte, the one that TypeBox makes', () => {
  expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs))
  expect(JSON.stringify(Type.Object({ a: Type.Optional(Type.Unknown()) }))).toBe(
    '{"type":"object","properties":{"a":{}}}',
  )
})

test('the compiler knows the same of what fits it', () => {
  expectTypeOf<Static<typeof ours>>().toEqualTypeOf<TypeBoxStatic<typeof theirs>>()
  expectTypeOf<Static<typeof ours>['count']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<Static<typeof ours>['mode']>().toEqualTypeOf<'code' | 'tools'>()
})
