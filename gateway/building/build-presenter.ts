import { readCallForm } from '../../bridge/arguments/call-form.ts'
import { MODEL_TEXT_MAX_BYTES, RUN_TEXT_MAX_BYTES } from '../../bridge/limits.ts'
import { answerText } from '../../bridge/result/answer-text.ts'
import { callText, runText } from '../../bridge/result/model-text.ts'
import type { Caller } from '../../catalog/caller.ts'
import type { ModeInForce } from '../presenting/mode-in-force.ts'
import type { Presenter } from '../presenting/presenter.ts'
import { createPresenter } from '../presenting/presenter.ts'
import type { Runs } from '../runs/runs.ts'
import type { ViewCache } from '../views/view-cache.ts'
import type { Bridge } from './build-bridge.ts'

export interface PresenterParts {
  readonly views: ViewCache
  readonly bridge: Pick<Bridge, 'createSurface'>
  readonly runs: Pick<Runs, 'runProgram'>
  readonly modeFor: (caller: Caller) => ModeInForce
}

export function buildPresenter({ views, bridge, runs, modeFor }: PresenterParts): Presenter {
  return createPresenter({
    viewFor: (caller, clientTools) => views.viewFor(caller, clientTools),
    createSurface: bridge.createSurface,
    mode: (caller) => modeFor(caller).inForce,
    decide: (tool, caller, input) => views.decide(tool, caller, input),
    runProgram: runs.runProgram,
    runText: (run) => runText(run, RUN_TEXT_MAX_BYTES),
    readCallForm,
    callText: (settled) => callText(settled, MODEL_TEXT_MAX_BYTES),
    answerText: (value) => answerText(value, MODEL_TEXT_MAX_BYTES),
  })
}
