import { definePlugin } from 'drawbridge-gateway/plugin'

export default definePlugin({
  id: 'vault',
  register(api) {
    api.registerTool({
      name: 'read',
      description: 'Denied by policy: must never run',
      parameters: { type: 'object', properties: {} },
      execute: async () => 'VAULT',
    })
  },
})
