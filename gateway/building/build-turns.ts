import type { Logger } from 'pino'
import type { Caller } from '../../catalog/caller.ts'
import type { CallerFault } from '../auth/caller-fault.ts'
import type { LiveSettings } from '../live-settings.ts'
import type { ModeInForce } from '../presenting/mode-in-force.ts'
import type { Presenter } from '../presenting/presenter.ts'
import type { ChatRouteDeps } from '../routes/chat/chat-route-deps.ts'
import type { Seal } from '../state/seal.ts'
import type { WorkUnderWay } from '../stopping/work-under-way.ts'
import type { Store } from '../store/store.ts'
import { createHiddenMessages } from '../turn/history/hidden-messages.ts'
import { createSessionGate } from '../turn/session-gate.ts'
import type { HiddenMessages } from '../turn/turn.ts'
import type { ViewCache } from '../views/view-cache.ts'
import type { Approvals } from './build-approvals.ts'
import type { Bridge } from './build-bridge.ts'
import type { Work } from './build-work.ts'
import { createOpenTurn } from './open-turn.ts'

export interface TurnsDeps {
  readonly settings: LiveSettings
  readonly store: Store
  readonly seal: Seal
  readonly approvals: Approvals
  readonly callerFault: CallerFault
  readonly views: ViewCache
  readonly presenter: Presenter
  readonly bridge: Bridge
  readonly work: Work
  readonly underWay: WorkUnderWay
  readonly modeFor: (caller: Caller) => ModeInForce
  readonly log: Logger
  readonly now: () => number
}

/** How a turn is opened, by the settings of the moment in which it is. */
export function buildTurns(deps: TurnsDeps): ChatRouteDeps['openTurn'] {
  const { settings, views } = deps
  return createOpenTurn({
    chooseModel: (agent) => settings.current().chooseModel(agent),
    instructionsOf: (agent) => settings.current().config.agents[agent]?.instructions ?? '',
    presenter: deps.presenter,
    viewFor: (caller, clientTools) => views.viewFor(caller, clientTools),
    mode: deps.modeFor,
    policyFor: (caller) => views.policyFor(caller),
    callerFault: deps.callerFault,
    store: deps.store,
    hidden: openHiddenMessages(deps.store, deps.seal),
    hooks: deps.bridge.hooks,
    keeperOf: deps.work.keeperOf,
    chatCommand: deps.approvals.chatCommand,
    sessionGate: createSessionGate(),
    underWay: deps.underWay,
    redactText: (text) => settings.redactText(text),
    redactMessages: (messages) => settings.redactShape(messages),
    redactEvent: (event) => settings.redactShape(event),
    log: deps.log,
    nowMs: deps.now,
  })
}

function openHiddenMessages(store: Store, seal: Seal): HiddenMessages {
  // As it was first sealed for: what lies in stores opens for no other.
  const purpose = 'parked-turn'
  return createHiddenMessages({
    store,
    seal: (text) => Buffer.from(seal.seal(Buffer.from(text), purpose)).toString('base64'),
    open: (sealed) => Buffer.from(seal.open(Buffer.from(sealed, 'base64'), purpose)).toString('utf8'),
  })
}
