import { setTimeout as wait } from 'node:timers/promises'
import { definePlugin } from 'drawbridge-gateway/plugin'

export default definePlugin({
  id: 'slow',
  register(api) {
    api.registerTool({
      name: 'wait',
      description: 'Wait for some milliseconds',
      parameters: {
        type: 'object',
        properties: { ms: { type: 'number', minimum: 0 } },
        required: ['ms'],
        additionalProperties: false,
      },
      execute: async (args, { signal }) => {
        await wait(args.ms, undefined, { signal })
        return { waited: args.ms }
      },
    })
  },
})
