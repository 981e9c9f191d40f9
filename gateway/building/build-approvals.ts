import type { Logger } from 'pino'
import { hashJson } from '../../catalog/json.ts'
import type { SchemaChecker } from '../../catalog/schema.ts'
import type { GatewayDesk } from '../approvals/approval-desk.ts'
import { openApprovalDesk } from '../approvals/approval-desk.ts'
import { createChatCommand } from '../approvals/chat-command.ts'
import { DECISIONS_MAX } from '../approvals/limits.ts'
import { postWebhook } from '../approvals/webhooks/post-webhook.ts'
import { createNoticesOf } from '../approvals/webhooks/webhook-notices.ts'
import { createWebhookSender } from '../approvals/webhooks/webhook-sender.ts'
import { parsePath, valueAt } from '../config/document/config-path.ts'
import type { ResolvedConfig } from '../config/read-config.ts'
import type { LiveSettings } from '../live-settings.ts'
import { gatewayId } from '../state/gateway-id.ts'
import type { Seal } from '../state/seal.ts'
import type { StateDirectory } from '../state/state-dir.ts'
import type { Store } from '../store/store.ts'
import type { ChatCommand, OnTurnFinished } from '../turn/resumer.ts'

export interface ApprovalsDeps {
  readonly state: StateDirectory
  readonly seal: Seal
  readonly store: Pick<Store, 'approvals' | 'outbox'>
  readonly settings: LiveSettings
  readonly schemas: SchemaChecker
  readonly log: Logger
  readonly now: () => number
}

export interface Approvals {
  readonly desk: GatewayDesk
  readonly chatCommand: ChatCommand
  /** Tells the receivers of webhooks. */
  readonly onTurnFinished: OnTurnFinished
  /** Held approvals end, parked ones and unsent messages stay. Safe to call twice. */
  close(): Promise<void>
}

/** The desk, the ways to it that are no routes, and who is told. */
export async function buildApprovals(deps: ApprovalsDeps): Promise<Approvals> {
  const { state, seal, store, settings, schemas, log, now } = deps
  const configured = () => settings.current().config.approvals
  const webhooks = () => configured().webhooks
  const { outbox } = store
  const backlog = (): number => configured().webhookBacklog
  const sender = createWebhookSender({ outbox, webhooks, backlog, post: postWebhook, log, now })
  const noticesOf = createNoticesOf({ webhooks, now })
  const desk = await openApprovalDesk({
    store,
    holder: gatewayId(state.path),
    seal,
    settings: configured,
    schemas,
    ruleHash: (where) => ruleHash(settings.current().config, where),
    redactText: (text) => settings.redactText(text),
    redactShape: (value) => settings.redactShape(value),
    noticesOf,
    onNotices: () => sender.look(),
    log,
    now,
  })
  return {
    desk,
    chatCommand: createChatCommand({
      desk,
      senders: () => configured().chat.senders,
      async pendingOfRun(tenant, runId) {
        const pending = await store.approvals.list(tenant, { runId, state: 'pending', limit: DECISIONS_MAX })
        return pending.map(({ id }) => id)
      },
    }),
    onTurnFinished(turn) {
      const event = { type: 'turn.finished', tenant: turn.tenant, data: settings.redactShape(turn) } as const
      outbox.put(noticesOf(event)).then(
        () => sender.look(),
        (error: unknown) => log.error({ err: error, turn: turn.turnId }, 'webhooks of a turn could not be kept'),
      )
    },
    async close() {
      await desk.close()
      await sender.close()
    },
  }
}

function ruleHash(config: ResolvedConfig, where: string): string | undefined {
  const parsed = parsePath(where)
  if (parsed.kind === 'invalid') return undefined
  const rule = valueAt(JSON.parse(JSON.stringify(config)), parsed.path)
  return rule === undefined ? undefined : hashJson(rule)
}
