import type {
  ArrowFunctionExpression,
  ClassDeclaration,
  FunctionDeclaration,
  FunctionExpression,
  ObjectExpression,
  Pattern,
  Statement,
} from 'acorn'
import { walk } from '../parsing/walk.ts'
import { unfilledParameters } from './unfilled-parameters.ts'

export type AnyFunction = ArrowFunctionExpression | FunctionExpression | FunctionDeclaration

export interface Entry extends Arguments {
  readonly name: string
}

export interface Arguments {
  /** Text of the arguments to call it with. */
  readonly args: string
  /** What it needs and nobody gives it. */
  readonly unfilled: readonly string[]
}

/** Names of the function that a program begins with. */
const ENTRY_NAMES = [
  'main',
  'run',
  'program',
  'default',
  'execute',
  'handler',
  'go',
  'start',
  'task',
  'script',
  'solve',
  'code',
]

/** The function that a program of definitions means to run: the exported one, one named like it, or the only unused one. */
export function findEntry(statements: readonly Statement[], exported: string | undefined): Entry | undefined {
  const functions = statements.flatMap(namedFunctions)
  const byName = (name: string | undefined): NamedFunction | undefined => functions.findLast((one) => one.name === name)
  const chosen = byName(exported) ?? unusedEntry(statements, functions)
  if (chosen !== undefined) return { name: chosen.name, ...argumentsFor(chosen.value) }
  return statements.every(isInert) ? classEntry(statements, exported) : undefined
}

interface NamedFunction {
  readonly name: string
  readonly value: AnyFunction
}

function namedFunctions(statement: Statement): readonly NamedFunction[] {
  if (statement.type === 'FunctionDeclaration') return [{ name: statement.id.name, value: statement }]
  if (statement.type !== 'VariableDeclaration') return []
  return statement.declarations.flatMap(({ id, init }) => {
    const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression'
    return isFunction && id.type === 'Identifier' ? [{ name: id.name, value: init }] : []
  })
}

function unusedEntry(statements: readonly Statement[], functions: readonly NamedFunction[]): NamedFunction | undefined {
  if (functions.length === 0) return undefined
  const uses = countNames(statements)
  const unused = functions.filter(({ name }) => (uses.get(name) ?? 0) <= 1)
  const named = ENTRY_NAMES.map((entry) => unused.find(({ name }) => name.toLowerCase() === entry)).find(
    (one) => one !== undefined,
  )
  if (named !== undefined) return named
  // Several that nothing uses: a library, and which of them is meant cannot be known.
  const [only] = unused
  if (only === undefined || unused.length > 1) return undefined
  // Data in front of it is what it works on; behind it, that may be the result.
  const isBefore = ({ start }: Statement): boolean => start < only.value.start
  return statements.every((one) => isInert(one) || (isBefore(one) && isData(one))) ? only : undefined
}

/** Only defines: a program that already does something is not waiting for a helper of its own to be called. */
function isInert(statement: Statement): boolean {
  if (statement.type !== 'VariableDeclaration') return true
  return statement.declarations.every(
    ({ init }) => !init || /^(?:Arrow)?Function|^(?:Literal|TemplateLiteral|Identifier)$/.test(init.type),
  )
}

/** `const ids = ['a', 'b']`, `const limits = { most: 5 }`: made of nothing but literals. */
function isData(statement: Statement): boolean {
  if (statement.type !== 'VariableDeclaration') return false
  let isPlain = true
  walk(statement, ({ type }) => {
    isPlain &&= /^Variable|^(?:Array|Object|Unary|Template)\w*$|^(?:Property|Literal|Identifier)$/.test(type)
    return isPlain ? 'enter' : 'skip'
  })
  return isPlain
}

/** `class Program { async run() { … } }`: made and run, where it is the only class that nothing uses. */
function classEntry(statements: readonly Statement[], exported: string | undefined): Entry | undefined {
  const classes = statements.filter((statement) => statement.type === 'ClassDeclaration')
  const uses = countNames(statements)
  const unused = classes.filter(({ id }) => id.name === exported || (uses.get(id.name) ?? 0) <= 1)
  const [only] = unused
  if (only === undefined || unused.length > 1) return undefined
  const methods = methodsOf(only)
  const named = ENTRY_NAMES.map((name) => methods.find((method) => method.name === name)).find(Boolean)
  const chosen = named ?? (methods.length === 1 ? methods[0] : undefined)
  if (chosen === undefined) return undefined
  const made = chosen.isStatic ? only.id.name : `new ${only.id.name}(${constructorArguments(only)})`
  return { name: `${made}.${chosen.name}`, ...argumentsFor(chosen.value) }
}

interface Method extends NamedFunction {
  readonly isStatic: boolean
}

function methodsOf({ body }: ClassDeclaration): readonly Method[] {
  return body.body.flatMap((member) => {
    if (member.type !== 'MethodDefinition' || member.kind !== 'method' || member.key.type !== 'Identifier') return []
    return [{ name: member.key.name, value: member.value, isStatic: member.static }]
  })
}

function constructorArguments({ body }: ClassDeclaration): string {
  const made = body.body.find((member) => member.type === 'MethodDefinition' && member.kind === 'constructor')
  return made?.type === 'MethodDefinition' ? argumentsFor(made.value).args : ''
}

function countNames(statements: readonly Statement[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const statement of statements) {
    walk(statement, (node) => {
      const name: unknown = node.type === 'Identifier' ? Reflect.get(node, 'name') : undefined
      if (typeof name === 'string') counts.set(name, (counts.get(name) ?? 0) + 1)
      return 'enter'
    })
  }
  return counts
}

/** The function of an object that is named like an entry. */
export function functionIn(value: ObjectExpression, statements: readonly Statement[]): Entry | undefined {
  return functionsIn(value, statements).find(({ name }) => ENTRY_NAMES.includes(name))
}

/** The same for an object that was exported and holds nothing but one function, whatever its name. */
export function onlyFunctionIn(value: ObjectExpression, statements: readonly Statement[]): Entry | undefined {
  return value.properties.length > 1 ? undefined : functionsIn(value, statements)[0]
}

function functionsIn(value: ObjectExpression, statements: readonly Statement[]): readonly Entry[] {
  const declared = statements.flatMap(namedFunctions)
  return value.properties.flatMap((property) => {
    if (property.type !== 'Property' || property.computed || property.kind !== 'init') return []
    const { key, value: held } = property
    if (key.type !== 'Identifier') return []
    if (held.type === 'FunctionExpression' || held.type === 'ArrowFunctionExpression')
      return [{ name: key.name, ...argumentsFor(held) }]
    if (held.type !== 'Identifier') return []
    const named = declared.findLast((one) => one.name === held.name)
    if (named !== undefined) return [{ name: key.name, ...argumentsFor(named.value) }]
    // What its name says that it is, though it was made by another function.
    return ENTRY_NAMES.includes(key.name) ? [{ name: key.name, args: 'tools', unfilled: [] }] : []
  })
}

const CONTEXT_NAMES = /^(?:ctx|context|env|api|sdk|deps|runtime|globals?|bindings?)$/i
const TOOLS_NAMES = /tool|bridge|client|mcp|drawbridge/i
const TOOLS_MEMBERS: ReadonlySet<string> = new Set(['search', 'describe', 'call', 'callAll', 'artifact', 'store'])

/** What a program's function takes is what it hopes to be given: the tools, or an object that has them. */
export function argumentsFor(value: AnyFunction): Arguments {
  const args = value.params.map((param) => argumentFor(param.type === 'AssignmentPattern' ? param.left : param))
  while (args.at(-1) === 'undefined') args.pop()
  return { args: args.join(', '), unfilled: unfilledParameters(value, isGiven) }
}

function isGiven(name: string): boolean {
  return name === 'console' || CONTEXT_NAMES.test(name) || TOOLS_NAMES.test(name) || TOOLS_MEMBERS.has(name)
}

function argumentFor(param: Pattern): string {
  if (param.type === 'Identifier') {
    if (param.name === 'console') return 'console'
    if (CONTEXT_NAMES.test(param.name)) return '{ tools, console }'
    return TOOLS_NAMES.test(param.name) ? 'tools' : 'undefined'
  }
  if (param.type !== 'ObjectPattern') return 'undefined'
  const keys = param.properties.flatMap((property) =>
    property.type === 'Property' && property.key.type === 'Identifier' ? [property.key.name] : [],
  )
  return keys.length > 0 && keys.every((key) => TOOLS_MEMBERS.has(key)) ? 'tools' : '{ tools, console }'
}
