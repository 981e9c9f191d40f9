import type { AskPerson, ToolAnswer, ToolQuestion } from '../../../../question.ts'
import { QUESTIONS_PER_CALL_MAX } from '../../limits.ts'
import type { QuestionBudget } from './question-budget.ts'

/** The questions of one call. */
export interface CallQuestions {
  /** `signal` takes this one question back. Never rejects. */
  ask(question: ToolQuestion | undefined, signal: AbortSignal): Promise<ToolAnswer>
  /** The call has ended: what still waits is taken back, and nothing is asked any more. */
  end(): void
}

export interface CallQuestionsDeps {
  readonly ask: AskPerson | undefined
  /** Of the call. */
  readonly signal: AbortSignal
  readonly budget: QuestionBudget
  readonly warn: (message: string) => void
}

export function createCallQuestions({ ask, signal: called, budget, warn }: CallQuestionsDeps): CallQuestions {
  const ended = new AbortController()
  let isAsked = false
  let asked = 0
  const hasRoom = (): boolean => {
    asked += 1
    if (asked <= QUESTIONS_PER_CALL_MAX && budget.take()) return true
    if (asked === QUESTIONS_PER_CALL_MAX + 1) {
      warn(`asked more than ${QUESTIONS_PER_CALL_MAX} questions in one call; the further ones are declined`)
    }
    return false
  }
  return {
    async ask(question, signal) {
      if (ask === undefined) return { action: 'decline', reason: 'there is nobody to ask' }
      if (question === undefined) return { action: 'decline', reason: 'it is too large or no question at all' }
      if (!hasRoom()) return { action: 'decline', reason: 'the server asks too much' }
      isAsked = true
      try {
        return await ask(question, AbortSignal.any([called, signal, ended.signal]))
      } catch {
        // The call was aborted, or nobody could be asked: the server hears that there is no answer.
        return { action: 'cancel' }
      }
    },
    end() {
      // Most calls ask nothing, and the reason's stack is slow to take.
      if (isAsked) ended.abort(new Error('the call has ended'))
    },
  }
}
