import type { Logger } from 'pino'
import type { HookRunner } from '../../bridge/hooks/hook-runner.ts'
import { createQueryMemory } from '../../bridge/surface/query-memory.ts'
import type { Caller } from '../../catalog/caller.ts'
import { clientTools } from '../../catalog/sources/client.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { View } from '../../catalog/view.ts'
import type { CallerPolicy } from '../../policy/decide.ts'
import type { CallerFault } from '../auth/caller-fault.ts'
import type { KeptTurn } from '../parking/create-turn-keeper.ts'
import { clientNameClash } from '../presenting/client-name-clash.ts'
import type { ModeInForce } from '../presenting/mode-in-force.ts'
import { nothingAllowed } from '../presenting/nothing-allowed.ts'
import type { Presenter } from '../presenting/presenter.ts'
import type { ChooseModel } from '../providers/choose-model.ts'
import type { ChatMessage } from '../providers/provider.ts'
import { ProviderError } from '../providers/provider.ts'
import type { ChatRouteDeps } from '../routes/chat/chat-route-deps.ts'
import { HttpError } from '../http/http-error.ts'
import type { WorkUnderWay } from '../stopping/work-under-way.ts'
import type { SessionEvent, Store } from '../store/store.ts'
import { traceTurn } from '../telemetry/turn-spans.ts'
import { StepBlocked } from '../turn/steps/model-step.ts'
import type { ChatCommand } from '../turn/resumer.ts'
import type { SessionGate } from '../turn/session-gate.ts'
import type { TurnKeeper } from '../turn/turn-keeper.ts'
import type { HiddenMessages, TurnDeps } from '../turn/turn.ts'

export interface OpenTurnDeps {
  readonly chooseModel: ChooseModel
  readonly instructionsOf: (agent: string) => string
  readonly presenter: Presenter
  readonly viewFor: (caller: Caller, clientTools: readonly Tool[]) => View
  readonly mode: (caller: Caller) => ModeInForce
  readonly policyFor: (caller: Caller) => CallerPolicy
  readonly callerFault: CallerFault
  readonly store: Pick<Store, 'listMessages' | 'appendMessages' | 'appendEvents'>
  readonly hidden: HiddenMessages
  readonly hooks: HookRunner
  /** What keeps a turn while it waits. */
  readonly keeperOf: (turn: KeptTurn) => TurnKeeper
  readonly chatCommand: ChatCommand
  readonly sessionGate: SessionGate
  readonly underWay: Pick<WorkUnderWay, 'track'>
  readonly redactText: (text: string) => string
  readonly redactMessages: (messages: readonly ChatMessage[]) => readonly ChatMessage[]
  readonly redactEvent: (event: SessionEvent) => SessionEvent
  readonly log: Logger
  readonly nowMs: () => number
}

/** Resolves what one turn needs: model, view, session, log. */
export function createOpenTurn(deps: OpenTurnDeps): ChatRouteDeps['openTurn'] {
  return async ({ caller: asked, turnId, requestId, clientTools: declared, isBackground = false }) => {
    const { provider, model, parameters } = deps.chooseModel(asked.agent)
    const caller: Caller = { ...asked, provider: provider.name, model }
    const brought = clientTools(declared)
    const mode = deps.mode(caller)
    const view = deps.viewFor(caller, brought)
    refuseClash(view, mode.inForce)
    refuseNothing(view, deps.policyFor(caller))
    // Turn and agent stand in the events themselves.
    const log = deps.log.child({ request: requestId, session: caller.session })
    const memory = createQueryMemory()
    const record = createRecorder(caller, log, deps)
    if (mode.reason !== undefined) {
      const { configured, inForce, reason } = mode
      record({ event: 'mode-fell-back', atMs: deps.nowMs(), turn: turnId, configured, inForce, reason })
    }
    return {
      provider: guarded(provider, parameters, deps.redactText),
      model,
      instructions: deps.instructionsOf(caller.agent),
      async present(toolsAllow) {
        const fault = await deps.callerFault(caller)
        if (fault !== undefined) throw new StepBlocked(fault)
        const shown = narrowed(caller, toolsAllow)
        const left = shown === caller ? undefined : nothingAllowed(deps.viewFor(shown, brought), deps.policyFor(shown))
        if (left !== undefined) throw new StepBlocked(left.message)
        return deps.presenter.present({ caller: shown, clientTools: brought, memory })
      },
      ...sessionPart(caller, deps),
      record,
      hidden: deps.hidden,
      hooks: deps.hooks,
      keeper: deps.keeperOf({ turnId, caller, clientTools: declared, isBackground }),
      chatCommand: deps.chatCommand,
      // The whole turn is traced: what it keeps and logs after its client has left, too.
      trace: (name, attributes, work) => deps.underWay.track(traceTurn(name, attributes, work)),
      nowMs: deps.nowMs,
    }
  }
}

/** Hooks of the turn's start narrow it, as a request can. */
function narrowed(caller: Caller, toolsAllow: readonly (readonly string[])[]): Caller {
  return toolsAllow.length === 0 ? caller : { ...caller, toolsAllow: [...(caller.toolsAllow ?? []), ...toolsAllow] }
}

function refuseClash(view: View, mode: ModeInForce['inForce']): void {
  const name = clientNameClash(mode, view)
  if (name === undefined) return
  throw new HttpError(
    'invalid_request',
    `a tool of the request is named "${name}", as one of the gateway's is; rename it`,
    {
      param: 'tools',
    },
  )
}

function refuseNothing(view: View, policy: CallerPolicy): void {
  const nothing = nothingAllowed(view, policy)
  if (nothing === undefined) return
  const { message, param } = nothing
  throw new HttpError('no_tools_allowed', message, { ...(param !== undefined && { param }) })
}

/** With the model's default parameters; an upstream's own words may quote any secret that it was ever given. */
function guarded(
  provider: TurnDeps['provider'],
  defaults: ChosenParameters,
  redactText: OpenTurnDeps['redactText'],
): TurnDeps['provider'] {
  return {
    name: provider.name,
    async *step(request, signal) {
      try {
        yield* provider.step({ ...request, parameters: { ...defaults, ...request.parameters } }, signal)
      } catch (error) {
        throw error instanceof ProviderError ? redactedError(error, redactText) : error
      }
    },
  }
}

function redactedError(error: ProviderError, redactText: OpenTurnDeps['redactText']): ProviderError {
  const { code, cause, retryAfterSeconds } = error
  const waiting = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
  return new ProviderError(redactText(error.message), { code, cause, ...waiting })
}

type ChosenParameters = ReturnType<ChooseModel>['parameters']

/** A stateless caller has no session: nothing is loaded, nothing is kept. */
function sessionPart(
  caller: Caller,
  deps: OpenTurnDeps,
): Pick<TurnDeps, 'enterSession' | 'loadHistory' | 'appendHistory'> {
  const { tenant, agent, session } = caller
  if (session === undefined) {
    return { enterSession: async () => () => {}, loadHistory: async () => [], appendHistory: async () => {} }
  }
  return {
    enterSession: (signal) => deps.sessionGate.enter(JSON.stringify([tenant, session]), signal),
    loadHistory: () => deps.store.listMessages(tenant, session),
    appendHistory: (messages) =>
      deps.store.appendMessages({ tenant, id: session, agent }, deps.redactMessages(messages), deps.nowMs()),
  }
}

/** Writes events in their order, to the log at once and to the session behind the turn's back. */
function createRecorder(caller: Caller, log: Logger, deps: OpenTurnDeps): TurnDeps['record'] {
  let writing: Promise<unknown> = Promise.resolve()
  return (raw) => {
    const event = deps.redactEvent(raw)
    log.info(event, event.event)
    const { tenant, session } = caller
    if (session === undefined) return
    writing = writing
      .then(() => deps.store.appendEvents(tenant, session, [event]))
      .catch((error: unknown) => log.error({ err: error }, 'session log could not be written'))
  }
}
