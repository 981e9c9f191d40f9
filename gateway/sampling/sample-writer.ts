import type { AllowedSample, SampleWriter, WrittenSample } from '../../bridge/asking/sample-writer.ts'
import type { WriteReceipt } from '../../bridge/receipt.ts'
import { inSpan } from '../../bridge/trace.ts'
import type { Caller } from '../../catalog/caller.ts'
import { hashJson } from '../../catalog/json.ts'
import type { ChosenModel } from '../building/choose-model.ts'
import type { Usage } from '../providers/provider.ts'
import { ProviderError } from '../providers/provider.ts'
import { HttpError } from '../routes/http-error.ts'
import { SAMPLE_WRITE_MS } from './limits.ts'
import type { SampleText } from './write-text.ts'
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
      const named = { 'gen_ai.request.model': chosen.model, 'gen_ai.provider.name': chosen.provider.name }
      return inSpan('chat', { ...named, 'drawbridge.call.id': allowed.callId }, async (span) => {
        const bound = AbortSignal.any([signal, AbortSignal.timeout(SAMPLE_WRITE_MS)])
        const text = await writeText({ ...chosen, sample: allowed.sample }, bound).catch((error: unknown) => {
          signal.throwIfAborted()
          return failureOf(error, deps)
        })
        if ('usage' in text && text.usage !== undefined) span.setAttributes(usageOf(text.usage))
        await record({ allowed, model: chosen.model, text, startedMs }, deps)
        return text.kind === 'failed' ? text : { ...text, kind: 'written', model: chosen.model }
      })
    },
  }
}

type Written = SampleText | Extract<WrittenSample, { kind: 'failed' }>

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

/** An upstream's failure is told to the server without the upstream's words. */
function failureOf(error: unknown, { redact, log }: SampleWriterDeps): Extract<Written, { kind: 'failed' }> {
  const isExpected = error instanceof ProviderError || (error instanceof DOMException && error.name === 'TimeoutError')
  if (!isExpected) throw error
  log.info({ reason: redact(error.message) }, 'the model did not answer a server')
  return { kind: 'failed', reason: 'the model could not answer' }
}

interface Recorded {
  readonly allowed: AllowedSample
  readonly model: string
  readonly text: Written
  readonly startedMs: number
}

/** Beside the receipt of the decision: that a model was asked, in whose name, by what, and how it ended. */
async function record({ allowed, model, text, startedMs }: Recorded, deps: SampleWriterDeps): Promise<void> {
  const { caller, tool, callId, approval, sample } = allowed
  const ms = Math.max(0, deps.now() - startedMs)
  const outcome = text.kind === 'failed' ? 'failed' : 'ok'
  const usage = 'usage' in text ? text.usage : undefined
  deps.log.info({ call: callId, tool: tool.id, approval, model, outcome, ms, usage }, 'a model answered a server')
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

function usageOf({ promptTokens, completionTokens }: Usage): Readonly<Record<string, number>> {
  return { 'gen_ai.usage.input_tokens': promptTokens, 'gen_ai.usage.output_tokens': completionTokens }
}
