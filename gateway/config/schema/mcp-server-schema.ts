import { Type } from '../../schema/type.ts'
import { headers, httpUrl } from './schema-parts.ts'

const variableName = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' })

const callWaits = {
  timeoutMs: Type.Optional(milliseconds('Longest wait for an answer or progress of one call, in ms. Default 60000.')),
  deadlineMs: Type.Optional(
    milliseconds('Longest time of one call, whatever progress it makes, in ms. Default 300000.'),
  ),
}

const limits = {
  ...callWaits,
  tools: Type.Optional(
    Type.Record(
      Type.String({ pattern: '^.{1,200}$' }),
      Type.Object(callWaits, { additionalProperties: false, description: 'One tool.' }),
      { additionalProperties: false, description: 'Settings of single tools, by their name at the server.' },
    ),
  ),
  connectTimeoutMs: Type.Optional(
    milliseconds('Longest wait for a connection and its first list of tools, in ms. Default 60000.'),
  ),
  trust: Type.Optional(
    Type.Enum(['pin', 'auto'], {
      description:
        'What a change of a tool means: `pin` keeps it back until `mcp accept`, `auto` takes it as it comes. Default pin.',
    }),
  ),
  roots: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      maxItems: 100,
      description: 'Folders that the server is told it may work in; relative to this file, or `file:` addresses.',
    }),
  ),
  elicitation: Type.Optional(
    Type.Enum(['ask', 'off'], {
      description:
        'Whether the server may ask for input while a tool runs: `ask` puts it to the client that made the call, or to whoever decides its approvals. Default ask.',
    }),
  ),
  sampling: Type.Optional(
    Type.Enum(['ask', 'off'], {
      description:
        "Whether the server may ask for an answer of a model: `ask` puts it to the client that made the call, or to whoever decides its approvals; once allowed there the agent's own model answers. Default ask.",
    }),
  ),
  maxTools: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000, description: 'Tools past this number are left out. Default 10000.' }),
  ),
}

const stdio = Type.Object(
  {
    type: Type.Optional(Type.Enum(['stdio'], { description: 'As other programs write it; the command says it too.' })),
    command: Type.String({ minLength: 1, description: 'Program to start; it speaks over stdin and stdout.' }),
    args: Type.Array(Type.String(), { default: [], description: 'Its arguments.' }),
    env: Type.Record(variableName, Type.String({ description: 'Value of one variable; references as in headers.' }), {
      additionalProperties: false,
      default: {},
      'x-secret': 'fields',
      description: 'Its environment.',
    }),
    cwd: Type.Optional(Type.String({ minLength: 1, description: 'Its working directory; relative to this file.' })),
    ...limits,
  },
  { additionalProperties: false, description: 'A server that the gateway starts.' },
)

const oauth = Type.Object(
  {
    clientId: Type.Optional(
      Type.String({ minLength: 1, description: 'Client that was registered by hand at the authorization server.' }),
    ),
    clientSecret: Type.Optional(
      Type.String({ minLength: 1, 'x-secret': 'value', description: 'Its secret, where it has one.' }),
    ),
    clientMetadataUrl: Type.Optional(
      Type.String({
        pattern: '^https://[^\\s/]+/\\S+$',
        'x-expected': 'an https:// address with a path',
        description: 'Where our client-id metadata document is published; "drawbridge mcp client-metadata" prints it.',
      }),
    ),
    scope: Type.Optional(Type.String({ minLength: 1, description: 'Asked for instead of what the server names.' })),
    callbackPort: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65_535,
        description: 'Port that the browser comes back to; else a free one.',
      }),
    ),
  },
  { additionalProperties: false, description: 'How to log in with "drawbridge mcp login".' },
)

const http = Type.Object(
  {
    type: Type.Optional(
      Type.Enum(['http', 'streamable-http', 'sse'], {
        description: 'As other programs write it; what the server speaks is found out in any case.',
      }),
    ),
    url: httpUrl('Address of the server.'),
    headers: headers(),
    allowPrivateAddresses: Type.Optional(
      Type.Boolean({ description: 'Lets a public host name resolve to a loopback or private address.' }),
    ),
    oauth: Type.Optional(oauth),
    ...limits,
  },
  { additionalProperties: false, description: 'A server that is reached over HTTP.' },
)

export const mcpServerSchema = Type.Union([stdio, http], {
  description: 'A server by `command` or by `url`.',
})

function milliseconds(description: string) {
  return Type.Integer({ minimum: 1, maximum: 3_600_000, description })
}
