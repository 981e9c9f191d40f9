import { randomUUID } from 'node:crypto'
import type { AskClient, ClientQuestion } from '../../../bridge/asking/ask-client.ts'
import type { Pending } from '../../../bridge/approval.ts'
import type { ToolAnswer } from '../../../catalog/question.ts'
import { QUESTION_TRIES_MAX } from '../limits.ts'
import type { ClientAbilities } from './client-abilities.ts'
import { readResponse } from './read-response.ts'

/** A question of a running tool that the client has not answered. */
export interface PosedQuestion extends ClientQuestion {
  /** Nobody can guess it: an answer that names it comes from who was asked. */
  readonly id: string
  /** Why the last answer was not taken. */
  readonly problem?: string
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** What the tools of one call ask its client, and what that answers. */
export interface ClientQuestions extends AskClient {
  /** Resolves once there is a question that the client has not been shown, or one that is put before somebody else. */
  posed(): Promise<void>
  /** What somebody else is asked now. */
  elsewhere(): readonly Pending[]
  /** Those; what the client cannot be asked by now goes to the desk. */
  take(abilities: ClientAbilities): readonly PosedQuestion[]
  /** A client that comes back without answers is asked again. */
  poseAgain(): void
  has(id: string): boolean
  /** What the client says to one; to one that nobody waits for it says nothing. */
  answer(id: string, response: unknown): void
  /** The client has an error for an answer. */
  refuse(id: string, reason: string): void
}

export interface ClientQuestionsDeps {
  /** Of the request that began the call. */
  readonly abilities: ClientAbilities
  /** How long a person may think. */
  readonly waitMs: () => number
}

interface Open {
  readonly posed: PosedQuestion
  readonly tries: number
  readonly settle: (answer: ToolAnswer | undefined) => void
}

export function createClientQuestions({ abilities, waitMs }: ClientQuestionsDeps): ClientQuestions {
  const open = new Map<string, Open>()
  const fresh = new Set<string>()
  const atDesk = new Set<Pending>()
  let [posed, isPosed] = [Promise.withResolvers<void>(), false]
  const wake = (): void => {
    isPosed = true
    posed.resolve()
  }
  const close = (id: string): void => {
    open.delete(id)
    fresh.delete(id)
  }
  const pose = (entry: Open): void => {
    open.set(entry.posed.id, entry)
    fresh.add(entry.posed.id)
    wake()
  }
  return {
    async ask(question, signal) {
      if (!abilities[question.question.kind]) return undefined
      signal.throwIfAborted()
      const { entry, answer } = openQuestion(question, { waitMs: waitMs(), onEnd: close }, signal)
      pose(entry)
      return answer
    },
    waits(pending) {
      atDesk.add(pending)
      wake()
      return () => void atDesk.delete(pending)
    },
    posed: () => posed.promise,
    elsewhere: () => [...atDesk],
    take(now) {
      const taken = [...fresh].flatMap((id) => open.get(id) ?? [])
      fresh.clear()
      if (isPosed) [posed, isPosed] = [Promise.withResolvers<void>(), false]
      const isAskable = ({ posed: { question } }: Open): boolean => now[question.kind]
      for (const { settle } of taken.filter((entry) => !isAskable(entry))) settle(undefined)
      return taken.filter(isAskable).map((entry) => entry.posed)
    },
    poseAgain() {
      for (const entry of open.values()) pose(entry)
    },
    has: (id) => open.has(id),
    answer(id, response) {
      const entry = open.get(id)
      if (entry === undefined) return
      const read = readResponse(entry.posed.question, response)
      if (read.kind === 'answer') entry.settle(read.answer)
      else if (entry.tries >= QUESTION_TRIES_MAX) entry.settle({ action: 'cancel', reason: read.problem })
      else pose({ ...entry, tries: entry.tries + 1, posed: { ...entry.posed, problem: read.problem } })
    },
    refuse(id, reason) {
      const entry = open.get(id)
      const action = entry?.posed.question.kind === 'sample' ? 'decline' : 'cancel'
      entry?.settle({ action, reason })
    },
  }
}

interface Opened {
  readonly entry: Open
  /** Settles when it was answered, when the time is over, or when it is taken back. */
  readonly answer: Promise<ToolAnswer | undefined>
}

interface OpenOptions {
  readonly waitMs: number
  readonly onEnd: (id: string) => void
}

function openQuestion(question: ClientQuestion, { waitMs, onEnd }: OpenOptions, signal: AbortSignal): Opened {
  const id = `question_${randomUUID()}`
  const { promise, resolve, reject } = Promise.withResolvers<ToolAnswer | undefined>()
  const ended = new AbortController()
  // At once: who answers it, and asks in the same breath for what is open, is not asked again.
  const settle = (answer: ToolAnswer | undefined): void => {
    onEnd(id)
    resolve(answer)
  }
  const timer = setTimeout(() => settle({ action: 'cancel', reason: 'nobody answered in time' }), waitMs)
  const onAbort = (): void => {
    onEnd(id)
    reject(signal.reason)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  const answer = promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    ended.abort(new Error('nobody waits for the answer any more'))
  })
  return { entry: { posed: { ...question, id, signal: ended.signal }, tries: 1, settle }, answer }
}
