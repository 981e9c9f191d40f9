import { definePlugin } from 'drawbridge-gateway/plugin'

export default definePlugin({
  id: 'fail',
  register(api) {
    api.registerTool({
      name: 'leaky',
      description: 'Fail with a message that holds what must not leak',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
      execute: async () => {
        throw new Error('cannot read file:///srv/app/worker.ts with token=SECRET-TOKEN-1')
      },
    })
  },
})
