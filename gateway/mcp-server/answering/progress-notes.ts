import type { OnProgress } from '../../../bridge/dispatching/call-request.ts'
import type { Mode } from '../../../bridge/presentation/presentation.ts'
import type { CallProgress } from '../../../catalog/tool.ts'
import { PROGRESS_INTERVAL_MS } from '../limits.ts'
import type { CallContext } from './call-context.ts'

export interface ProgressNotes {
  /** Undefined where the client asked for no progress: then nobody behind is asked for it either. */
  readonly onProgress: OnProgress | undefined
  /** After the answer no note may follow. */
  end(): void
}

interface NoteDeps {
  readonly now: () => number
  /** A note that could not be sent; its client will see as much. */
  readonly onError: (error: unknown) => void
}

/**
 * Steps of a call as notifications for the client that asked for them by its token. They only grow, as the protocol wants,
 * and come no faster than a person could read: of a storm the newest is sent.
 */
export function createProgressNotes(context: CallContext, mode: Mode, deps: NoteDeps): ProgressNotes {
  const { _meta: meta } = context.mcpReq
  const progressToken = meta?.progressToken
  if (progressToken === undefined) return { onProgress: undefined, end: () => {} }
  let last = Number.NEGATIVE_INFINITY
  let sentMs = Number.NEGATIVE_INFINITY
  let waiting: CallProgress | undefined
  let timer: NodeJS.Timeout | undefined
  let hasEnded = false
  const send = (): void => {
    timer = undefined
    const step = waiting
    if (step === undefined) return
    waiting = undefined
    last = step.progress
    sentMs = deps.now()
    context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...step } }).catch(deps.onError)
  }
  const steps = mode === 'code' ? countedSteps() : (step: CallProgress): CallProgress => step
  return {
    onProgress(told, toolId) {
      const step = steps(told, toolId)
      if (hasEnded || !Number.isFinite(step.progress) || step.progress <= last) return
      waiting = step
      timer ??= setTimeout(send, Math.max(0, sentMs + PROGRESS_INTERVAL_MS - deps.now()))
    },
    end() {
      clearTimeout(timer)
      // The newest step was held back for its turn; it still comes before the answer.
      if (waiting !== undefined) send()
      hasEnded = true
    },
  }
}

/** The calls of a program each count for themselves: together only their number grows. */
function countedSteps(): (step: CallProgress, toolId: string) => CallProgress {
  let count = 0
  return ({ progress, total, message }, toolId) => {
    count += 1
    const part = total === undefined ? `${progress}` : `${progress}/${total}`
    return { progress: count, message: `${toolId}: ${message ?? part}` }
  }
}
