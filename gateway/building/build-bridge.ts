import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { ApprovalDesk } from '../../bridge/approval.ts'
import { problemsOf } from '../../bridge/arguments/problems.ts'
import { repairArguments } from '../../bridge/arguments/repair.ts'
import type { ArtifactStore } from '../../bridge/artifacts.ts'
import { createAnswerQuestion } from '../../bridge/asking/answer-question.ts'
import type { SampleWriter } from '../../bridge/asking/sample-writer.ts'
import type { Dispatch, DispatcherDeps, Validation } from '../../bridge/dispatcher.ts'
import { createDispatcher } from '../../bridge/dispatcher.ts'
import { createExecuteTool } from '../../bridge/execute-tool.ts'
import type { RegisteredHook } from '../../bridge/hooks.ts'
import type { HookRunner } from '../../bridge/hooks/hook-runner.ts'
import { createHookRunner } from '../../bridge/hooks/hook-runner.ts'
import { cutText } from '../../bridge/result/cut-text.ts'
import { createKeepBlocks } from '../../bridge/result/keep-blocks.ts'
import { toolValue } from '../../bridge/result/tool-value.ts'
import type { SurfaceOptions, ToolSurface } from '../../bridge/surface/tool-surface.ts'
import { createToolSurface } from '../../bridge/surface/tool-surface.ts'
import { asProgram } from '../../catalog/caller.ts'
import { createHitTypes } from '../../catalog/hit-types.ts'
import type { JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { SchemaChecker } from '../../catalog/schema.ts'
import { signatureOf } from '../../catalog/signature.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { CallerFault } from '../auth/caller-fault.ts'
import type { ToolSearch } from '../config/tool-search.ts'
import type { LiveSettings } from '../live-settings.ts'
import { createSampleWriter } from '../sampling/sample-writer.ts'
import { createClosingJoin } from '../stopping/closing-join.ts'
import type { WorkUnderWay } from '../stopping/work-under-way.ts'
import { afterCalls } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import type { ViewCache } from '../views/view-cache.ts'
import type { CatalogParts } from './build-catalog.ts'
import { FULL_SIGNATURE_MAX_LENGTH } from './limits.ts'

export interface BridgeDeps extends CatalogParts {
  readonly views: ViewCache
  readonly callerFault: CallerFault
  readonly hooks: () => readonly RegisteredHook[]
  /** Resolves when every plugin has had its time to register its own. */
  readonly hooksRegistered: () => Promise<void>
  /** Of one handler. */
  readonly hookBudgetMs: () => number
  readonly desk: ApprovalDesk
  readonly store: Pick<Store, 'putReceipt' | 'keepReceipt' | 'noteReceipt' | 'checkReceipts'>
  readonly artifacts: Pick<ArtifactStore, 'put'>
  readonly redact: (text: string) => string
  readonly toolSearch: () => ToolSearch
  readonly learns: () => boolean
  /** Whose models answer for a client's. */
  readonly settings: Pick<LiveSettings, 'current'>
  readonly underWay: WorkUnderWay
  /** Aborted when the gateway stops: no call outlives it. */
  readonly closing: AbortSignal
  readonly log: Logger
  readonly now: () => number
}

export interface Bridge {
  readonly hooks: HookRunner
  readonly dispatch: Dispatch
  readonly createSurface: (options: SurfaceOptions) => ToolSurface
}

/** The one path of a call, and the surface that every way in asks through. */
export function buildBridge(deps: BridgeDeps): Bridge {
  const hooks = hookRunnerOf(deps)
  const dispatchOne = createDispatcher({
    current: (id) => deps.catalog.snapshot().byId.get(id),
    decide: (tool, caller, input) => deps.views.decide(tool, caller, input),
    callerFault: deps.callerFault,
    repair: (args, tool) => repairArguments(args, tool.inputSchema),
    validate: (tool, args) => validate(tool, args, deps.schemas),
    signature: signatureOf,
    hooks,
    desk: deps.desk,
    execute: createExecuteTool({
      hooks,
      keepBlocks: createKeepBlocks({
        artifacts: deps.artifacts,
        warn: (message, error) => deps.log.warn({ err: error }, message),
      }),
      toolValue,
      outputFault: (tool, value) => outputFault(tool, value, deps.schemas),
      redact: deps.redact,
      cut: cutText,
      answerQuestion: createAnswerQuestion({ ...deps, writer: sampleWriterOf(deps) }),
      logFailure: ({ tool, callId }, error) =>
        deps.log.warn({ err: error, tool: tool.id, call: callId }, 'tool failed'),
    }),
    ...receiptsOf(deps),
    redact: deps.redact,
    warn: (message, error) => deps.log.warn({ err: error }, message),
    now: deps.now,
    newId: () => `rc_${randomUUID()}`,
  })
  const hitTypes = createHitTypes()
  const withClosing = createClosingJoin(deps.closing)
  const dispatch: Dispatch = (request, signal) =>
    deps.underWay.track(withClosing(signal, (joined) => dispatchOne(request, joined)))
  return {
    hooks,
    dispatch,
    createSurface: (options) => {
      const { searchDefaultLimit, maxSearchLimit } = deps.toolSearch()
      return createToolSurface(
        {
          index: deps.index,
          dispatch,
          hitSignature: (tool) => hitTypes(tool).signature,
          hitOutput: (tool) => hitTypes(tool).output,
          fullSignature: (tool, maxChars = FULL_SIGNATURE_MAX_LENGTH) => signatureOf(tool, { maxChars }),
          newId: () => `call_${randomUUID()}`,
          approvalNeed: (tool, caller) => deps.views.policyFor(caller).approvalNeed(tool),
          settings: { defaultLimit: searchDefaultLimit, maxLimit: maxSearchLimit },
          learns: deps.learns(),
        },
        // What a program calls is judged as a program's, whoever made its view.
        options.runId === undefined ? options : { ...options, caller: asProgram(options.caller) },
      )
    },
  }
}

function sampleWriterOf({ settings, store, catalog, redact, log, now }: BridgeDeps): SampleWriter {
  return createSampleWriter({
    chooseModel: (agent) => settings.current().chooseModel(agent),
    writeReceipt: (receipt) => store.putReceipt(receipt),
    catalogRevision: () => catalog.snapshot().revision,
    redact,
    log,
    now,
    newId: () => `rc_${randomUUID()}`,
  })
}

function receiptsOf({ store }: BridgeDeps): Pick<DispatcherDeps, 'writeReceipt' | 'noteReceipt' | 'checkReceipts'> {
  return {
    checkReceipts: () => store.checkReceipts(),
    noteReceipt: (receipt) => store.noteReceipt(receipt),
    writeReceipt: (receipt) =>
      store.keepReceipt(receipt).catch((error: unknown) => {
        throw receipt.effect === 'none' ? error : afterCalls(error)
      }),
  }
}

function hookRunnerOf({ hooks, hookBudgetMs, hooksRegistered, log }: BridgeDeps): HookRunner {
  return createHookRunner({
    hooks,
    warn: (message, error) => log.warn({ err: error }, message),
    budgetMs: hookBudgetMs,
    registered: hooksRegistered,
  })
}

function validate(tool: Tool, args: JsonValue, schemas: SchemaChecker): Validation {
  const result = schemas.validate(tool.inputSchema, tool.schemaHash, args)
  if (result.kind === 'invalid') {
    return { kind: 'invalid', problems: problemsOf(result.errors, args, tool.inputSchema) }
  }
  if (isJsonObject(result.value)) return { kind: 'valid', value: result.value }
  return { kind: 'invalid', problems: [{ path: '', expected: 'an object with the arguments' }] }
}

/** Only the text of the first fault: the model cannot mend a server's answer. */
function outputFault(tool: Tool, value: JsonValue, schemas: SchemaChecker): string | undefined {
  if (tool.outputSchema === undefined) return undefined
  const result = schemas.validateOutput(tool.outputSchema, tool.schemaHash, value)
  if (result.kind === 'valid') return undefined
  const [first] = result.errors
  return first === undefined ? 'it does not match' : `${first.instancePath || 'the result'}: ${first.message}`
}
