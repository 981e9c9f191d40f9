import { definePlugin } from 'drawbridge-gateway/plugin'

export default definePlugin({
  id: 'echo',
  register(api) {
    api.registerTool({
      name: 'say',
      description: 'Say a text back, its first 100 characters',
      parameters: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
      execute: async (args) => ({ said: args.text.slice(0, 100) }),
    })
  },
})
