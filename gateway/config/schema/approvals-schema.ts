import {
  HOLD_MS_DEFAULT,
  HOLD_MS_MAX,
  KEEP_DAYS_DEFAULT,
  KEEP_DAYS_MAX,
  PARKED_TIMEOUT_MS_DEFAULT,
  PARKED_TIMEOUT_MS_MAX,
  PENDING_MAX_DEFAULT,
  PENDING_MAX_MAX,
  PENDING_PER_TOKEN_MAX_DEFAULT,
  TIMEOUT_MS_DEFAULT,
  TIMEOUT_MS_MAX,
  TIMEOUT_MS_MIN,
  WEBHOOK_BACKLOG_DEFAULT,
  WEBHOOK_BACKLOG_MAX,
  WEBHOOK_BACKLOG_MIN,
} from '../../approvals/limits.ts'
import { Type } from '../../schema/type.ts'
import { httpUrl, section } from './schema-parts.ts'

/** What a bot can be told of. */
const WEBHOOK_EVENTS = ['approval.requested', 'approval.decided', 'turn.finished'] as const

const webhook = Type.Object(
  {
    url: httpUrl('Where events are sent by POST. Redirects are not followed.'),
    secret: Type.String({
      minLength: 1,
      'x-secret': 'value',
      description:
        'Signs what is sent, by Standard Webhooks: `whsec_` and base64 of at least 24 random bytes, or a text of 8 characters or more, which is taken by its bytes.',
    }),
    events: Type.Array(Type.Enum([...WEBHOOK_EVENTS]), {
      default: [...WEBHOOK_EVENTS],
      description: 'What is sent; absent: everything.',
    }),
  },
  { additionalProperties: false, description: 'One receiver.' },
)

export const approvalsSchema = section('Calls that a person has to allow: how long they wait, and who is told.', {
  holdMs: Type.Integer({
    default: HOLD_MS_DEFAULT,
    minimum: 0,
    maximum: HOLD_MS_MAX,
    description: 'Time for which a request is held open while it waits, in ms; then its turn parks. 0 parks at once.',
  }),
  timeoutMs: Type.Integer({
    default: TIMEOUT_MS_DEFAULT,
    minimum: TIMEOUT_MS_MIN,
    maximum: TIMEOUT_MS_MAX,
    description: 'Time to decide while the request is held open, in ms; then the call is refused as expired.',
  }),
  parkedTimeoutMs: Type.Integer({
    default: PARKED_TIMEOUT_MS_DEFAULT,
    minimum: TIMEOUT_MS_MIN,
    maximum: PARKED_TIMEOUT_MS_MAX,
    description: 'Time to decide once the turn or run is parked, in ms.',
  }),
  maxPending: Type.Integer({
    default: PENDING_MAX_DEFAULT,
    minimum: 1,
    maximum: PENDING_MAX_MAX,
    description: 'Calls of one agent that may wait for a decision at one time; one more ends as `busy`.',
  }),
  maxPendingPerToken: Type.Integer({
    default: PENDING_PER_TOKEN_MAX_DEFAULT,
    minimum: 1,
    maximum: PENDING_MAX_MAX,
    description: 'The same of one agent for one token.',
  }),
  keepDays: Type.Integer({
    default: KEEP_DAYS_DEFAULT,
    minimum: 1,
    maximum: KEEP_DAYS_MAX,
    description: 'Days for which approvals and grants that have ended are listed. Their receipts stay.',
  }),
  elicitation: Type.Boolean({
    default: false,
    description:
      'Whether what an MCP client says its person decided counts, also where its token has no scope `approvals`. Only where every such client asks a person.',
  }),
  chat: section('Deciding by a line in the chat: `/approve <id> allow-once|allow-always|deny`.', {
    senders: Type.Array(
      Type.String({
        pattern: '^(?:channel:[^:\\s]+:\\S+|id:\\S+)$',
        'x-expected': '"channel:<channel>:<sender>" or "id:<sender>"',
      }),
      {
        default: [],
        description:
          'Who may: `channel:<channel>:<sender>`, or `id:<sender>` on any channel. Only what a token of that channel says of its sender counts (`drawbridge tokens create --channels`).',
      },
    ),
  }),
  webhookBacklog: Type.Integer({
    default: WEBHOOK_BACKLOG_DEFAULT,
    minimum: WEBHOOK_BACKLOG_MIN,
    maximum: WEBHOOK_BACKLOG_MAX,
    description: 'Messages that may wait for one receiver; of more the oldest are dropped, and the log says so.',
  }),
  webhooks: Type.Array(webhook, { default: [], description: 'Who is told of approvals and of turns that went on.' }),
})
