import { DEFAULT_LIMITS, LIMIT_CEILINGS, SOURCE_MAX_BYTES, WORKERS_CEILING } from '../../../bridge/isolate/limits.ts'
import type { Fields, Schema, Static } from '../../schema/type.ts'
import { Type } from '../../schema/type.ts'
import { approvalsSchema } from './approvals-schema.ts'
import { corsSchema } from './cors-schema.ts'
import { hooksSchema } from './hooks-schema.ts'
import { mcpClientSchema } from './mcp-client-schema.ts'
import { mcpEndpointSchema } from './mcp-endpoint-schema.ts'
import { mcpServerSchema } from './mcp-server-schema.ts'
import { agentPolicySchema, policySchema } from './policy-schema.ts'
import { headers, httpUrl, name, section } from './schema-parts.ts'
import { toolSearchSchema } from './tool-search-schema.ts'

/** The configuration as the gateway uses it: defaults filled in, references resolved. */
export type Config = Static<typeof configSchema>
export type ProviderConfig = Config['models']['providers'][string]

const gateway = section('Where the gateway listens.', {
  host: Type.String({ default: '127.0.0.1', minLength: 1, description: 'Address to listen on.' }),
  port: Type.Integer({ default: 8790, minimum: 0, maximum: 65535, description: 'Port; 0 takes any free one.' }),
  cors: corsSchema,
})

const modelName = Type.String({
  pattern: '^[^/\\s]+/\\S+$',
  'x-expected': 'a model as "provider/model"',
  description: 'A model as `provider/model`, e.g. `openai/gpt-5.4`; `scripted/scripted` is the embedded stand-in.',
})

const provider = object('An upstream that speaks a known wire format.', {
  api: Type.Enum(['openai-chat'], { description: 'Wire format: OpenAI Chat Completions.' }),
  baseUrl: httpUrl('Address that `/chat/completions` is appended to, e.g. `https://api.openai.com/v1`.'),
  apiKey: Type.Optional(
    Type.String({
      minLength: 1,
      'x-secret': 'value',
      description: 'Sent as a bearer token. `"${NAME}"`, `{ file }` or `{ command }` keep it out of the file.',
    }),
  ),
  headers: headers(),
  models: map(
    object('What is special about one model.', {
      parameters: Type.Record(Type.String(), Type.Unknown(), {
        default: {},
        description: 'Request parameters (`temperature`, `max_tokens` …) that hold unless the request sets them.',
      }),
    }),
    'Models of this provider by their own name. When any is listed, only those can be used.',
    modelKey(),
  ),
  silenceMs: Type.Optional(
    Type.Integer({
      minimum: 1000,
      maximum: 3_600_000,
      description: 'Longest silence before and within an answer, in ms. Default 280000.',
    }),
  ),
  retries: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10,
      description: 'Attempts after the first, on connection errors, 408, 409, 429 and 5xx. Default 2.',
    }),
  ),
  streamUsage: Type.Optional(
    Type.Boolean({ description: '`false` for servers that refuse `stream_options`. Default true.' }),
  ),
})

const models = section('Models and who provides them.', {
  default: Type.Optional(modelName),
  providers: map(provider, 'Providers by name.'),
})

const agent = object('A model with instructions and a view of the tools.', {
  model: Type.Optional(modelName),
  instructions: Type.String({ default: '', description: 'Put before the messages of every turn.' }),
  tools: section('Narrows the global lists for this agent.', agentPolicySchema),
})

const tools = section('Which tools there are for models, and how they are shown.', {
  toolSearch: toolSearchSchema,
  ...policySchema,
  search: section('Finding tools.', {
    learn: Type.Boolean({ default: true, description: 'Whether past calls of a tenant lift tools in its searches.' }),
  }),
})

const plugins = section('Code that brings tools.', {
  paths: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    description: 'Folders of plugins, or a plugin each; relative to this file.',
  }),
  entries: map(
    object('One plugin.', {
      enabled: Type.Boolean({ default: true, description: 'Whether it is loaded.' }),
      required: Type.Boolean({
        default: false,
        description: 'Whether no tool may be called while it does not run: for plugins that guard calls.',
      }),
      config: Type.Record(Type.String(), Type.Unknown(), {
        default: {},
        'x-secret': 'fields',
        description: 'Given to the plugin, checked by its own schema.',
      }),
    }),
    'Settings of plugins by id.',
  ),
})

/** A bound on one run, with the bridge's default and ceiling. */
function limit(name: keyof typeof LIMIT_CEILINGS, minimum: number, description: string) {
  return Type.Integer({ default: DEFAULT_LIMITS[name], minimum, maximum: LIMIT_CEILINGS[name], description })
}

const sandbox = section('Bounds of the isolate that a program runs in.', {
  memoryMb: Type.Integer({
    default: 64,
    minimum: 8,
    maximum: LIMIT_CEILINGS.memoryMb,
    description: 'Heap of one run, in MiB.',
  }),
  cpuMs: Type.Integer({
    default: 2000,
    minimum: 10,
    maximum: LIMIT_CEILINGS.cpuMs,
    description: 'CPU time of one run, in ms.',
  }),
  jit: Type.Boolean({
    default: false,
    description: 'Lets workers compile programs: faster loops, larger attack surface.',
  }),
  workersMax: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: WORKERS_CEILING,
      description:
        'Programs at one time, those that wait for their tools among them; 8 for each core where it is absent.',
    }),
  ),
  calls: limit('calls', 1, 'Tool calls of one run.'),
  callsInFlight: limit('callsInFlight', 1, 'Tool calls of one run at one time; the rest wait in order.'),
  argumentBytes: limit('argumentBytes', 256, 'Arguments of one call, in bytes of JSON.'),
  resultIntoIsolateBytes: limit(
    'resultIntoIsolateBytes',
    256,
    'Result of one call that a program gets whole, in bytes.',
  ),
  outputBytes: limit('outputBytes', 256, 'Value of a run, in bytes of JSON; a larger one ends the run.'),
  logBytes: limit('logBytes', 256, 'Log of one run, in bytes; the rest is dropped and said to be.'),
  sourceBytes: Type.Integer({
    default: SOURCE_MAX_BYTES,
    minimum: 256,
    maximum: SOURCE_MAX_BYTES,
    description: 'Source of one program, in bytes.',
  }),
})

/** The one description of `drawbridge.json5`: types, defaults, validation and documentation come from it. */
export const configSchema = object('Configuration of Drawbridge.', {
  gateway,
  models,
  agents: map(agent, 'Agents by name; `default` is there even when it is not listed.'),
  tools,
  approvals: approvalsSchema,
  hooks: hooksSchema,
  mcp: section('The Model Context Protocol, on both sides.', {
    servers: map(mcpServerSchema, 'Servers by name.'),
    endpoint: mcpEndpointSchema,
    ...mcpClientSchema,
  }),
  plugins,
  sandbox,
  store: section('Where state is kept.', {
    url: Type.String({
      default: 'sqlite:drawbridge.db',
      pattern: '^sqlite:.+$',
      'x-expected': '"sqlite:" and a file',
      description: '`sqlite:` and a file, relative to the state directory.',
    }),
  }),
  runs: section('Records of runs.', {
    keepAnswersDays: Type.Integer({
      default: 7,
      minimum: 0,
      maximum: 365,
      description: 'Days for which the answers that a run got are kept, sealed, so that it can be replayed.',
    }),
    keepArtifactsDays: Type.Integer({
      default: 30,
      minimum: 1,
      maximum: 3650,
      description: 'Days for which artifacts are kept: images, sound, and what was too large to hand over whole.',
    }),
  }),
  redact: section(
    'What never appears in a log, the store or an error, besides everything that looks like a credential.',
    {
      patterns: Type.Array(Type.String({ minLength: 1 }), {
        default: [],
        description:
          'Regular expressions (JavaScript, `u` flag, without look-around and back references); what they match is replaced.',
      }),
    },
  ),
  telemetry: section('Where telemetry goes.', {
    otlp: section('OpenTelemetry over HTTP.', {
      endpoint: Type.Optional(
        httpUrl('Base address of a collector, e.g. `http://127.0.0.1:4318`. Absent: none is sent.'),
      ),
    }),
  }),
})

function object<Properties extends Fields>(description: string, properties: Properties) {
  return Type.Object(properties, { additionalProperties: false, description })
}

function map<Value extends Schema>(value: Value, description: string, key = name()) {
  return Type.Record(key, value, { additionalProperties: false, default: {}, description })
}

/** A provider's own name of a model: `gpt-5.4`, `meta-llama/Llama-3.3-70B:free`. */
function modelKey() {
  return Type.String({ pattern: '^\\S{1,200}$' })
}
