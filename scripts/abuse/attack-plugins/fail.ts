import { definePlugin } from 'drawbridge-gateway/plugin'

export default definePlugin({
  id: 'fail',
  register(api) {
    api.registerTool({
      name: 'leaky',
      description: 'Fail with a message that holds what must not leak',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
      execute: async () => {
        throw new Error('cannot read /srv/app/config/billing.json with token=SECRET-TOKEN-1')
      },
    })
  },
})
