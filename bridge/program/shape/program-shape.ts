import type { Expression, Identifier, Program, Statement, VariableDeclaration } from 'acorn'
import type { Notice } from '../../outcome.ts'
import type { Edit } from '../text/edited-text.ts'
import type { Result } from './called-function.ts'
import { callOf, calledResult, memberCall, unfilledProblem, wrapped } from './called-function.ts'
import { functionIn, findEntry, onlyFunctionIn } from './entry-function.ts'
import type { ExportedValue, ModuleProblem } from './modules.ts'
import { demodulise } from './modules.ts'
import {
  declaredValue,
  hasOwnReturn,
  isConsoleCall,
  isObjectLiteral,
  isTimerCall,
  resultEdits,
} from './result-edits.ts'
import { RESULT_NOTICES } from './result-notices.ts'

export type Shape =
  | { readonly kind: 'shaped'; readonly edits: readonly Edit[]; readonly notices: readonly Notice[] }
  | ModuleProblem

/** What must change so that the program is the body of an async function whose return value is its result. */
export function shapeProgram(text: string, program: Program): Shape {
  const found = demodulise(text, program)
  if (found.kind === 'problem') return found
  const { statements, edits, notices } = found
  const result = found.exportedValue
    ? exportedResult(found.exportedValue, { text, statements })
    : ownResult(text, statements, found.exported)
  if (result.unfilled !== undefined && result.unfilled.length > 0) return unfilledProblem(result.unfilled, statements)
  return { kind: 'shaped', edits: [...edits, ...result.edits], notices: [...notices, ...result.notices] }
}

interface Body {
  readonly text: string
  readonly statements: readonly Statement[]
}

const NOTHING: Result = { edits: [], notices: [] }

/** `export default async () => …`, with or without helpers after it. */
function exportedResult({ start, end, value }: ExportedValue, { text, statements }: Body): Result {
  const call =
    callOf(value, statements) ??
    (value.type === 'ObjectExpression' ? memberCall(onlyFunctionIn(value, statements)) : undefined)
  const isLast = statements.every((statement) => statement.start < start || isHoisted(statement))
  if (!isLast && call === undefined) return { edits: [{ start, end: value.start, text: '' }], notices: [] }
  const [before, after] = isLast ? ['return await (', `)${call?.text ?? ''};`] : [`const ${freeName(text)} = (`, ');']
  const edits = [
    { start, end: value.start, text: before },
    { start: value.end, end, text: after },
  ]
  if (call === undefined) return { edits, notices: [RESULT_NOTICES.returned] }
  const last = { start: text.length, end: text.length, text: `\nreturn await ${freeName(text)}${call.text};` }
  return calledResult(isLast ? edits : [...edits, last], call)
}

function ownResult(text: string, all: readonly Statement[], exported: string | undefined): Result {
  const first = firstCutOff(all)
  const cutOff = all.slice(first, -1)
  if (cutOff.length === 0) return reachedResult(text, all, exported)
  const rest = reachedResult(text, all.toSpliced(first, cutOff.length), exported)
  const cuts = cutOff.map(({ start, end }) => ({ start, end, text: ' ' }))
  return { edits: [...cuts, ...rest.edits], notices: [RESULT_NOTICES.lineEnd, ...rest.notices] }
}

function reachedResult(text: string, statements: readonly Statement[], exported: string | undefined): Result {
  const last = statements.findLast((statement) => statement.type !== 'EmptyStatement' && !isHoisted(statement))
  const isDefining = statements.every(isDefinition)
  const entry = isDefining ? findEntry(statements, exported) : undefined
  if (entry !== undefined && !statements.some(hasOwnReturn)) {
    const call = { start: text.length, end: text.length, text: `\nreturn await ${entry.name}(${entry.args});` }
    return calledResult([call], entry)
  }
  const result = last === undefined ? NOTHING : lastResult(last, { text, statements })
  const isSilent =
    result.edits.length === 0 &&
    result.notices.length === 0 &&
    last?.type !== 'ThrowStatement' &&
    !statements.some(hasOwnReturn) &&
    !/\bconsole\b/.test(text)
  return isSilent
    ? {
        edits: [],
        notices: [
          isDefining && statements.some(isMadeToUse) ? RESULT_NOTICES.nothingCalled : RESULT_NOTICES.nothingReturned,
        ],
      }
    : result
}

/** From where on there are only bare `return`s in front of the last statement, a value which nothing else can reach. */
function firstCutOff(all: readonly Statement[]): number {
  const last = all.at(-1)
  if (last === undefined || !isValue(last)) return all.length
  return all.findLastIndex((statement, index) => index < all.length - 1 && !isBareReturn(statement)) + 1
}

function isBareReturn(statement: Statement): boolean {
  return statement.type === 'ReturnStatement' && !statement.argument
}

function isValue(statement: Statement): boolean {
  if (statement.type === 'ReturnStatement' || statement.type === 'ExpressionStatement') return true
  return statement.type === 'BlockStatement' && isObjectLiteral(statement)
}

function lastResult(last: Statement, body: Body): Result {
  if (last.type === 'ReturnStatement' && last.argument) {
    if (last.argument.type === 'Identifier') return returnedFunction(last.argument, last, body.statements)
    const call = last.argument.type === 'ObjectExpression' ? undefined : callOf(last.argument, body.statements)
    if (call === undefined || body.statements.length > 1) return NOTHING
    return calledResult(
      wrapped({ start: last.argument.start, end: last.argument.end, before: '(', after: `)${call.text}` }),
      call,
    )
  }
  if (last.type === 'ExpressionStatement') return expressionResult(last.expression, last, body)
  if (body.statements.some(hasOwnReturn)) return NOTHING
  if (last.type === 'VariableDeclaration') {
    const program = body.statements.every(isDefinition) ? declaredProgram(last, body) : undefined
    if (program !== undefined) return program
    const value = declaredValue(last)
    return value === undefined ? NOTHING : declaredResult(value, body.text)
  }
  const edits = resultEdits(last)
  return { edits, notices: edits.length > 0 ? [RESULT_NOTICES.returned] : [] }
}

/** `return main` behind nothing but definitions: the function is the program, not its value. */
function returnedFunction({ name, end }: Identifier, last: Statement, statements: readonly Statement[]): Result {
  const others = statements.filter((statement) => statement !== last)
  const named = others.every(isDefinition) ? findEntry(others, name) : undefined
  return named?.name === name ? calledResult([{ start: end, end, text: `(${named.args})` }], named) : NOTHING
}

function expressionResult(expression: Expression, statement: Statement, { statements }: Body): Result {
  const { start } = statement
  const call = callOf(expression, statements)
  if (call !== undefined && (expression.type !== 'ObjectExpression' || statements.length === 1)) {
    // The parentheses around the function stay outside of its own place in the text, so a second pair is harmless.
    const inner = wrapped({ start: expression.start, end: expression.end, before: '(', after: `)${call.text}` })
    return calledResult([{ start, end: start, text: 'return await ' }, ...inner], call)
  }
  if (isConsoleCall(expression) || isDirective(statement)) return NOTHING
  if (isTimerCall(expression)) return { edits: [], notices: [RESULT_NOTICES.timerLeft] }
  if (expression.type === 'Identifier') {
    const named = findEntry(statements.filter(isDefinition), expression.name)
    if (named?.name === expression.name) {
      const edits = [
        { start, end: start, text: 'return await ' },
        { start: expression.end, end: expression.end, text: `(${named.args})` },
      ]
      return calledResult(edits, named)
    }
  }
  if (
    expression.type === 'UnaryExpression' &&
    expression.argument.type === 'CallExpression' &&
    /^(?:void|!)$/.test(expression.operator)
  ) {
    return { edits: [{ start, end: expression.argument.start, text: ' return (' }, closing(expression)], notices: [] }
  }
  return {
    edits: [{ start, end: start, text: 'return ' }],
    notices: isOwnCall(expression, statements) ? [] : [RESULT_NOTICES.returned],
  }
}

function closing(expression: Expression): Edit {
  return { start: expression.end, end: expression.end, text: ')' }
}

/** `const r = await tools.call(…)` at the end: its value is all that the program can have meant to give. */
function declaredResult(value: string, text: string): Result {
  const notice = {
    code: 'value-returned',
    message: `the program ended without \`return\`; \`${value.slice(0, 60)}\` was taken as the result`,
  }
  return { edits: [{ start: text.length, end: text.length, text: `\nreturn ${value};` }], notices: [notice] }
}

/** `const program = { async run() { … } }` and nothing that calls it. */
function declaredProgram({ declarations }: VariableDeclaration, { text, statements }: Body): Result | undefined {
  const [only] = declarations
  if (only?.id.type !== 'Identifier' || only.init?.type !== 'ObjectExpression' || declarations.length > 1)
    return undefined
  const call = memberCall(functionIn(only.init, statements))
  if (call === undefined) return undefined
  const edit = { start: text.length, end: text.length, text: `\nreturn await ${only.id.name}${call.text};` }
  return calledResult([edit], call)
}

/** `main()`, `await main().catch(…)`, `(async () => …)()` and `new Program().run()` are fine; their value was meant. */
function isOwnCall(expression: Expression, statements: readonly Statement[]): boolean {
  const called = expression.type === 'AwaitExpression' ? expression.argument : expression
  if (called.type !== 'CallExpression') return false
  const { callee } = called
  if (callee.type === 'MemberExpression' && callee.object.type !== 'Super') {
    const { object, property } = callee
    const isChain = property.type === 'Identifier' && /^(?:then|catch|finally)$/.test(property.name)
    return isChain ? isOwnCall(object, statements) : isOwnObject(object, statements)
  }
  if (callee.type === 'ArrowFunctionExpression' || callee.type === 'FunctionExpression') return true
  return callee.type === 'Identifier' && findEntry(statements.filter(isDefinition), callee.name)?.name === callee.name
}

function isOwnObject(object: Expression, statements: readonly Statement[]): boolean {
  const name = object.type === 'NewExpression' && object.callee.type === 'Identifier' ? object.callee.name : undefined
  return statements.some((statement) => statement.type === 'ClassDeclaration' && statement.id.name === name)
}

function isMadeToUse({ type }: Statement): boolean {
  return type === 'FunctionDeclaration' || type === 'ClassDeclaration'
}

function isHoisted(statement: Statement): boolean {
  return statement.type === 'FunctionDeclaration'
}

function isDefinition(statement: Statement): boolean {
  if (isDirective(statement)) return true
  return /^(?:Function|Class|Variable)Declaration$|^EmptyStatement$/.test(statement.type)
}

function isDirective(statement: Statement): boolean {
  return statement.type === 'ExpressionStatement' && statement.directive === 'use strict'
}

function freeName(text: string): string {
  let name = 'exported'
  while (text.includes(name)) name += '_'
  return name
}
