import { definePlugin } from 'drawbridge-gateway/plugin'

export default definePlugin({
  id: 'math',
  register(api) {
    api.registerTool({
      name: 'add',
      description: 'Add two numbers',
      parameters: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
      execute: async (args) => ({ sum: args.a + args.b }),
    })
  },
})
