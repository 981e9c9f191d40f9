import { Type } from 'typebox'
import { headers, httpUrl } from './schema-parts.ts'

const variableName = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' })

const waits = {
  timeoutMs: Type.Optional(milliseconds('Longest wait for an answer or progress of one call, in ms. Default 60000.')),
  connectTimeoutMs: Type.Optional(
    milliseconds('Longest wait for a connection and its first list of tools, in ms. Default 60000.'),
  ),
  maxTools: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100_000, description: 'Tools past this number are left out. Default 10000.' }),
  ),
}

const stdio = Type.Object(
  {
    command: Type.String({ minLength: 1, description: 'Program to start; it speaks over stdin and stdout.' }),
    args: Type.Array(Type.String(), { default: [], description: 'Its arguments.' }),
    env: Type.Record(variableName, Type.String({ description: 'Value of one variable; references as in headers.' }), {
      additionalProperties: false,
      default: {},
      'x-secret': 'fields',
      description: 'Its environment.',
    }),
    cwd: Type.Optional(Type.String({ minLength: 1, description: 'Its working directory; relative to this file.' })),
    ...waits,
  },
  { additionalProperties: false, description: 'A server that the gateway starts.' },
)

const http = Type.Object(
  {
    url: httpUrl('Address of the server (Streamable HTTP).'),
    headers: headers(),
    allowPrivateAddresses: Type.Optional(
      Type.Boolean({ description: 'Lets a public host name resolve to a loopback or private address.' }),
    ),
    ...waits,
  },
  { additionalProperties: false, description: 'A server that is reached over HTTP.' },
)

export const mcpServerSchema = Type.Union([stdio, http], {
  description: 'A server by `command` or by `url`.',
})

function milliseconds(description: string) {
  return Type.Integer({ minimum: 1, maximum: 3_600_000, description })
}
