import { expect, test } from 'vitest'
import { QUESTION_WINDOW_MS, QUESTIONS_PER_WINDOW_MAX } from '../../limits.ts'
import { createQuestionBudget } from './question-budget.ts'

test('a server that has asked much may ask again when that is a while ago', () => {
  let nowMs = 1_000
  const budget = createQuestionBudget(() => nowMs)
  const taken = Array.from({ length: QUESTIONS_PER_WINDOW_MAX + 5 }, () => budget.take())
  expect(taken.filter(Boolean)).toHaveLength(QUESTIONS_PER_WINDOW_MAX)
  expect(budget.take()).toBe(false)
  nowMs += QUESTION_WINDOW_MS
  expect(budget.take()).toBe(true)
})
