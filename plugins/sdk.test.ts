import { describe, expect, expectTypeOf, test } from 'vitest'
import type { JsonObject } from '../catalog/json.ts'
import { definePlugin, Type } from './sdk.ts'

describe('definePlugin', () => {
  test('arguments and configuration have the types of their TypeBox schemas', () => {
    const plugin = definePlugin({
      id: 'typed',
      configSchema: Type.Object({ retries: Type.Integer() }),
      register(api) {
        expectTypeOf(api.config).toEqualTypeOf<{ retries: number }>()
        api.registerTool({
          name: 'move',
          description: 'Moves.',
          parameters: Type.Object({ to: Type.String(), speed: Type.Optional(Type.Number()) }),
          examples: [{ to: 'home' }],
          execute: (args) => {
            expectTypeOf(args).toEqualTypeOf<{ to: string; speed?: number }>()
          },
        })
      },
    })
    expect(plugin.id).toBe('typed')
  })

  test('arguments have the types of a JSON Schema that is written in place', () => {
    const plugin = definePlugin({
      id: 'literal',
      register(api) {
        expectTypeOf(api.config).toEqualTypeOf<JsonObject>()
        api.registerTool({
          name: 'move',
          description: 'Moves.',
          parameters: {
            type: 'object',
            properties: { to: { type: 'string' }, gait: { enum: ['walk', 'run'] } },
            required: ['to'],
          },
          execute: (args) => {
            expectTypeOf(args.to).toEqualTypeOf<string>()
            expectTypeOf(args.gait).toEqualTypeOf<'walk' | 'run' | undefined>()
          },
        })
      },
    })
    expect(plugin.id).toBe('literal')
  })

  test('arguments of a schema that is only known at run time, or of none, are any object', () => {
    const loaded: JsonObject = { type: 'object' }
    const plugin = definePlugin({
      id: 'loose',
      register(api) {
        api.registerTool({
          name: 'move',
          description: 'Moves.',
          parameters: loaded,
          execute: (args) => expectTypeOf(args).toEqualTypeOf<JsonObject>(),
        })
        api.registerTool({
          name: 'stop',
          description: 'Stops.',
          execute: (args) => expectTypeOf(args).toEqualTypeOf<JsonObject>(),
        })
      },
    })
    expect(plugin.id).toBe('loose')
  })
})
