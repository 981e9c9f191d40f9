import type { Expression, Statement } from 'acorn'
import type { Notice } from '../../outcome.ts'
import type { Edit } from '../text/edited-text.ts'
import type { Arguments, Entry } from './entry-function.ts'
import { argumentsFor, functionIn } from './entry-function.ts'
import type { ModuleProblem } from './modules.ts'
import { RESULT_NOTICES } from './result-notices.ts'

export interface Result {
  readonly edits: readonly Edit[]
  readonly notices: readonly Notice[]
  /** What the function that is called needs and nobody gives it. */
  readonly unfilled?: readonly string[]
}

export interface Call extends Arguments {
  readonly text: string
}

interface Wrap {
  readonly start: number
  readonly end: number
  readonly before: string
  readonly after: string
}

/** What to write behind a function, or an object with one function, to call it; undefined for any other value. */
export function callOf(value: Expression, statements: readonly Statement[]): Call | undefined {
  const { type } = value
  if (type === 'ArrowFunctionExpression' || type === 'FunctionExpression') {
    const given = argumentsFor(value)
    return { ...given, text: `(${given.args})` }
  }
  return type === 'ObjectExpression' ? memberCall(functionIn(value, statements)) : undefined
}

export function memberCall(entry: Entry | undefined): Call | undefined {
  return entry && { ...entry, text: `.${entry.name}(${entry.args})` }
}

/** What was only defined is called. */
export function calledResult(edits: readonly Edit[], { unfilled }: Arguments): Result {
  return { edits, notices: [RESULT_NOTICES.called], unfilled }
}

export function wrapped({ start, end, before, after }: Wrap): readonly Edit[] {
  return [
    { start, end: start, text: before },
    { start: end, end, text: after },
  ]
}

export function unfilledProblem(names: readonly string[], statements: readonly Statement[]): ModuleProblem {
  return {
    kind: 'problem',
    message: `the program is a function of ${names.join(', ')}, and nobody calls it with that`,
    hint: 'a program is given nothing: write the values into it, e.g. const city = "Bern", or call the function with them: return await name("Bern")',
    offset: statements[0]?.start ?? 0,
  }
}
