import { AsyncLocalStorage } from 'node:async_hooks'
import { SdkHttpError } from '@modelcontextprotocol/client'
import type { RequestWatch } from '../../transport/answer-guard.ts'
import { ServerBusyError } from '../../transport/http/server-busy.ts'
import type { CallQuestions } from './call-questions.ts'
import type { CallersWork } from './given-up-work.ts'
import { createGivenUpWork } from './given-up-work.ts'

/** What a server is asked for, a call or something beside calls, and what it may be asking about in turn. */
export interface Work extends CallersWork {
  /** Absent where nobody can be asked. */
  readonly questions: CallQuestions | undefined
  /** A server asks nothing about it: one that took too long must not keep honest questions from others. */
  readonly asksNothing?: boolean
}

/** What a server's question belongs to. */
export interface AskedWork {
  readonly questions: CallQuestions
  /** Tools of the same caller's calls that were given up: the question may be about one of these. */
  readonly givenUp: readonly string[]
}

/** Knows what of one session is under way and what was given up, and by that whose question a server asks. */
export interface WhoseQuestion {
  /** For the transport of the session. */
  readonly watch: RequestWatch
  /** Counts as under way until `run` settles; what `run` sends belongs to it, and what comes back on those streams. */
  during<T>(work: Work, run: () => Promise<T>): Promise<T>
  /**
   * Of a request of the server that is handled now. On the stream of what was sent it is about that, whatever else is
   * under way. On a stream or pipe that is nobody's it is about the one thing under way. With several, another's person
   * might be asked, and also where something of another caller was given up that the server may still be at: then it is
   * nobody's. Where that was of the same caller, the person is told.
   */
  asked(): AskedWork | undefined
}

export function createWhoseQuestion(): WhoseQuestion {
  const underWay = new Set<Work>()
  const givenUp = createGivenUpWork(() => performance.now())
  /** What is sent and heard for: over Streamable HTTP what a server asks comes on the stream of its own request. */
  const heardFor = new AsyncLocalStorage<Work>()
  return {
    watch: {
      sent: (id) => {
        const work = heardFor.getStore()
        if (work !== undefined) givenUp.sent(id, work)
      },
      answered: (id) => givenUp.answered(id),
    },
    async during(work, run) {
      underWay.add(work)
      try {
        return await heardFor.run(work, run)
      } catch (error) {
        if (isRefusal(error)) givenUp.forget(work)
        throw error
      } finally {
        underWay.delete(work)
        if (work.asksNothing === true) givenUp.forget(work)
        else givenUp.giveUp(work)
      }
    },
    asked() {
      const own = heardFor.getStore()
      if (own !== undefined) return underWay.has(own) ? askedOf(own, []) : undefined
      const [only, ...others] = underWay
      if (only === undefined || others.length > 0) return undefined
      const tools = givenUp.ownTools(only.caller)
      return tools && askedOf(only, tools)
    },
  }
}

function askedOf({ questions }: Work, givenUp: readonly string[]): AskedWork | undefined {
  return questions && { questions, givenUp }
}

/** A server that refuses a request by its status does not work at it; one behind a gateway that gave up may. */
function isRefusal(error: unknown): boolean {
  if (error instanceof ServerBusyError) return error.hasBegunNothing
  const { status } = error instanceof SdkHttpError ? error : {}
  return status !== undefined && status >= 400 && status < 500
}
