import { Type } from '../../schema/type.ts'
import { name, names, section } from './schema-parts.ts'

const ENTRIES = 'Entries are ids or names of tools, with `*`, or `group:<name>`, in any case.'

const profileName = Type.Optional(
  Type.String({
    minLength: 1,
    description:
      "Named set to start from: `minimal` (the client's own tools), `readonly`, `nondestructive`, `full`, or one of `tools.profiles`.",
  }),
)

const annotations = Type.Object(
  {
    readOnlyHint: hint('It changes nothing. Unsaid: false.'),
    destructiveHint: hint('It may delete or overwrite. Unsaid: true, unless it only reads.'),
    idempotentHint: hint('Doing it twice is doing it once. Unsaid: false.'),
    openWorldHint: hint('It reaches beyond the system that it is of. Unsaid: true.'),
  },
  { additionalProperties: false, description: 'What a tool says of itself; what it leaves unsaid counts as here.' },
)

const lists = {
  allow: names(`Tools that are left; empty or absent leaves all. ${ENTRIES}`),
  deny: names('Tools that are taken away. Deny wins.'),
}

const toolScope = {
  profile: profileName,
  ...lists,
  alsoAllow: names('Added to the profile of this scope. Not together with `allow`.'),
}

const byProvider = map(
  section('Narrows for one provider or model.', toolScope),
  'Further lists by `provider` or `provider/model`; both apply to a model.',
  Type.String({ pattern: '^\\S{1,200}$' }),
)

const rule = Type.Object(
  {
    tool: Type.Optional(Type.String({ minLength: 1, description: 'An entry as in the lists; absent: every tool.' })),
    when: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'JSON Schema of the arguments that the rule is about, e.g. `{ properties: { amount: { exclusiveMinimum: 100 } }, required: ["amount"] }`. Absent: all.',
        },
      ),
    ),
    annotations: Type.Optional(annotations),
    effect: Type.Enum(['allow', 'ask', 'deny'], {
      description:
        'Of the rules that apply the strictest decides: `deny`, then `ask`, then `allow`, which only answers `approvals`.',
    }),
    reason: Type.Optional(
      Type.String({ minLength: 1, description: 'Told to whoever made the call, and to who approves it.' }),
    ),
  },
  { additionalProperties: false, description: 'What holds for some calls of some tools.' },
)

/** What an agent has of it. */
export const agentPolicySchema = { ...toolScope, byProvider }

/** Who may see and call which tools; the keys stand in `tools`, in the order in which they are asked. */
export const policySchema = {
  profiles: map(
    section('A named set of tools.', { ...lists, annotations: Type.Optional(annotations) }),
    "Profiles of one's own by name.",
  ),
  groups: map(names('What `group:<name>` stands for; may name other groups.'), "Groups of one's own by name."),
  ...toolScope,
  byProvider,
  byChannel: map(
    section('Narrows for one channel.', lists),
    'Further lists by channel (`x-drawbridge-channel`); `*` is for all others. Where the token does not vouch for the channel (`drawbridge tokens create --channels`), those of `*` hold too.',
    Type.String({ pattern: '^\\S{1,200}$' }),
  ),
  toolsBySender: map(
    section('Narrows for one sender.', lists),
    'Further lists by sender: `channel:<channel>:<id>`, `id:<id>`, `username:<name>`, or `*` for all others; the most exact one applies. Where the token does not vouch for the sender (`drawbridge tokens create --channels`), all that name it and `*` apply together: a claim only narrows.',
    Type.String({ pattern: '^\\S.{0,255}$' }),
  ),
  sandbox: section('Narrows for what programs call, as opposed to models and clients.', lists),
  childAgents: section('Narrows for child agents.', lists),
  mainAgentOnly: names('Tools that no child agent may see or call.'),
  rules: Type.Array(rule, { default: [], description: 'Rules on calls, by their arguments.' }),
  approvals: Type.Enum(['off', 'destructive', 'writes', 'all'], {
    default: 'off',
    description:
      'Calls that wait for an approval where no rule says otherwise. Tools that say nothing of themselves count as writing and destructive.',
  }),
}

function hint(description: string) {
  return Type.Optional(Type.Boolean({ description }))
}

function map<Value extends ReturnType<typeof names> | ReturnType<typeof section>>(
  value: Value,
  description: string,
  key = name(),
) {
  return Type.Record(key, value, { additionalProperties: false, default: {}, description })
}
