import { Type } from '../../schema/type.ts'

/** How this gateway reaches other people's servers. */
export const mcpClientSchema = {
  passthrough: Type.Array(Type.Enum(['resources', 'prompts']), {
    default: [],
    description:
      'What of the servers is shown at `/mcp` beside their tools: `resources` as `drawbridge:<server>:<uri>`, `prompts` as `<server>__<name>`.',
  }),
  forbiddenAddresses: Type.Array(
    Type.String({
      pattern: '^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$',
      'x-expected': 'an address or a subnet, e.g. "10.1.0.0/16"',
    }),
    {
      default: [],
      description: 'Addresses and subnets that no server may be at, beside link-local and metadata ones.',
    },
  ),
  screening: Type.Enum(['off', 'report', 'enforce'], {
    default: 'report',
    description:
      'Reading what tools say of themselves for instructions to the model: `report` tells what it found, `enforce` also keeps such a tool back until `mcp accept`.',
  }),
  maxMessageBytes: Type.Integer({
    default: 16 * 1024 * 1024,
    minimum: 64 * 1024,
    maximum: 256 * 1024 * 1024,
    description: 'One message or answer of a server, in bytes; a larger one fails its call.',
  }),
}
