import type { AllowedSample, SampleWriter, WrittenSample } from '../../bridge/asking/sample-writer.ts'
import type { OutcomeKind } from '../../bridge/outcome.ts'
import type { WriteReceipt } from '../../bridge/receipt.ts'
import type { Caller } from '../../catalog/caller.ts'
import { hashJson } from '../../catalog/json.ts'
import type { ChosenModel } from '../providers/choose-model.ts'
import type { Usage } from '../providers/provider.ts'
import { ProviderError } from '../providers/provider.ts'
import { usageCounts } from '../providers/usage-counts.ts'
import { HttpError } from '../http/http-error.ts'
import { traceTurn } from '../telemetry/turn-spans.ts'
import { SAMPLE_WRITE_MS } from './limits.ts'
import { writeText } from './write-text.ts'

export interface SampleWriterDeps {
  /** As the chat endpoint has it. @throws {HttpError} where none is configured */
  readonly chooseModel: (agent: string) => ChosenModel
  readonly writeReceipt: WriteReceipt
  readonly catalogRevision: () => string
  readonly redact: (text: string) => string
  readonly log: { readonly info: (facts: object, message: string) => void }
  readonly now: () => number
  readonly newId: () => string
}

/**
 * Lets the agent's own model answer for a client that has none to offer. It is given what a person has allowed and
 * nothing else: no instructions of the agent, no history, no tools.
 */
export function createSampleWriter(deps: SampleWriterDeps): SampleWriter {
  return {
    modelFor(caller) {
      const chosen = chosenFor(caller, deps)
      return chosen && `${chosen.provider.name}/${chosen.model}`
    },
    async write(allowed, signal) {
      const startedMs = deps.now()
      const chosen = chosenFor(allowed.caller, deps)
      if (chosen === undefined) return { kind: 'failed', reason: 'no model is configured any more' }
      const of = { model: chosen.model, provider: chosen.provider.name, 'call.id': allowed.callId }
      return traceTurn('model-step', of, async (span) => {
        const bound = AbortSignal.any([signal, AbortSignal.timeout(SAMPLE_WRITE_MS)])
        const ended = await writeText({ ...chosen, sample: allowed.sample }, bound).catch((error: unknown) => {
          return { kind: 'threw', error } as const
        })
        const usage = ended.kind === 'threw' ? undefined : ended.usage
        if (usage !== undefined) span.setAttributes(usageCounts(usage))
        if (ended.kind === 'threw') span.setAttributes({ error: outcomeOf(ended.error, signal) })
        // Of a model that was stopped too: it may have begun, and what it wrote is paid for.
        const outcome = ended.kind === 'threw' ? outcomeOf(ended.error, signal) : 'ok'
        await record({ allowed, model: chosen.model, outcome, usage, startedMs }, deps)
        if (ended.kind === 'threw') {
          signal.throwIfAborted()
          return failureOf(ended.error, deps)
        }
        return { kind: 'written', text: ended.text, stopReason: ended.stopReason, model: chosen.model }
      })
    },
  }
}

/** The embedded stand-in answers nobody's question. */
function chosenFor({ agent }: Caller, { chooseModel }: SampleWriterDeps): ChosenModel | undefined {
  try {
    const chosen = chooseModel(agent)
    return chosen.provider.name === 'scripted' ? undefined : chosen
  } catch (error) {
    if (error instanceof HttpError) return undefined
    throw error
  }
}

function outcomeOf(error: unknown, { aborted }: AbortSignal): OutcomeKind {
  if (aborted) return 'cancelled'
  return isTimeout(error) ? 'timed-out' : 'failed'
}

function isTimeout(error: unknown): error is DOMException {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

/** An upstream's failure is told to the server without the upstream's words. */
function failureOf(error: unknown, { redact, log }: SampleWriterDeps): WrittenSample {
  if (!(error instanceof ProviderError) && !isTimeout(error)) throw error
  log.info({ reason: redact(error.message) }, 'the model did not answer a server')
  return { kind: 'failed', reason: 'the model could not answer' }
}

interface Recorded {
  readonly allowed: AllowedSample
  readonly model: string
  readonly outcome: OutcomeKind
  readonly usage: Usage | undefined
  readonly startedMs: number
}

/** Beside the receipt of the decision: that a model was asked, in whose name, by what, and how it ended. */
async function record({ allowed, model, outcome, usage, startedMs }: Recorded, deps: SampleWriterDeps): Promise<void> {
  const { caller, tool, callId, approval, sample } = allowed
  const ms = Math.max(0, deps.now() - startedMs)
  deps.log.info({ call: callId, tool: tool.id, approval, model, outcome, ms, usage }, 'a server asked a model')
  await deps.writeReceipt({
    id: deps.newId(),
    tenant: caller.tenant,
    callId: `${callId}:sample-${approval}`,
    agent: caller.agent,
    toolId: tool.id,
    schemaHash: tool.schemaHash,
    requested: 'sampling/createMessage',
    catalogRevision: deps.catalogRevision(),
    inputHash: hashJson(JSON.parse(JSON.stringify(sample))),
    approval,
    outcome,
    effect: 'none',
    startedMs,
    ms,
    ...(caller.session !== undefined && { session: caller.session }),
  })
}
