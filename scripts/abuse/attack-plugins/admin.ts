import { definePlugin } from 'drawbridge-gateway/plugin'

export default definePlugin({
  id: 'admin',
  register(api) {
    api.registerTool({
      name: 'wipe',
      description: 'Denied by policy: must never run',
      parameters: { type: 'object', properties: {} },
      execute: async () => 'WIPED',
    })
  },
})
