import { QUESTION_WINDOW_MS, QUESTIONS_PER_WINDOW_MAX } from '../../limits.ts'

/** How much one server may ask people, over all its calls and sessions. */
export interface QuestionBudget {
  /** False where the server has asked too much lately: then nobody is asked. */
  take(): boolean
}

export function createQuestionBudget(now: () => number): QuestionBudget {
  let askedMs: readonly number[] = []
  return {
    take() {
      const oldestMs = now() - QUESTION_WINDOW_MS
      askedMs = askedMs.filter((ms) => ms > oldestMs)
      if (askedMs.length >= QUESTIONS_PER_WINDOW_MAX) return false
      askedMs = [...askedMs, now()]
      return true
    },
  }
}
