import type {
  ExportDefaultDeclaration, ExportNamedDeclaration, Expression, ImportDeclaration, Program, Statement,
} from 'acorn' // prettier-ignore
import type { Notice } from '../../outcome.ts'
import { hintForModule } from '../hints/absent-bindings.ts'
import { nodeAt, walk } from '../parsing/walk.ts'
import type { Edit } from '../text/edited-text.ts'

/** A program with its imports and exports taken away. */
export interface Demodulised {
  readonly kind: 'statements'
  readonly statements: readonly Statement[]
  readonly edits: readonly Edit[]
  readonly notices: readonly Notice[]
  /** The function that was exported by name, where there is one. */
  readonly exported?: string
  /** What was exported by default and has no name. */
  readonly exportedValue?: ExportedValue
}

export interface ExportedValue {
  /** The statement that exports it. */
  readonly start: number
  readonly end: number
  readonly value: Expression
}

export interface ModuleProblem {
  readonly kind: 'problem'
  readonly message: string
  readonly hint: string
  readonly offset: number
}

type Step =
  | { readonly edits: readonly Edit[]; readonly statement?: Statement; readonly notice?: Notice; readonly exported?: string; readonly exportedValue?: ExportedValue }
  | ModuleProblem // prettier-ignore

/** Turns the statements of a module into those of a function body: there are no modules, only globals. */
export function demodulise(text: string, program: Program): Demodulised | ModuleProblem {
  const steps: Exclude<Step, ModuleProblem>[] = []
  for (const node of program.body) {
    const step = stepOf(node, text)
    if ('kind' in step) return step
    steps.push(step)
  }
  const statements = steps.flatMap(({ statement }) => statement ?? [])
  const meta = /\bimport\s*\.\s*meta\b/.test(text) ? importMeta(statements) : undefined
  if (meta !== undefined) return meta
  const exported = steps.findLast((step) => step.exported !== undefined)?.exported
  const exportedValue = steps.findLast((step) => step.exportedValue !== undefined)?.exportedValue
  const notices = steps.flatMap(({ notice }) => notice ?? [])
  return {
    kind: 'statements',
    statements,
    edits: steps.flatMap(({ edits }) => edits),
    notices: [...new Map(notices.map((notice) => [notice.code, notice])).values()],
    ...(exported !== undefined && { exported }),
    ...(exportedValue !== undefined && { exportedValue }),
  }
}

/** V8 refuses it as it compiles, and then there is no place to tell. */
function importMeta(statements: readonly Statement[]): ModuleProblem | undefined {
  let offset: number | undefined
  for (const statement of statements) {
    walk(statement, (node) => {
      if (node.type === 'MetaProperty' && nodeAt(node, 'meta')?.end === node.start + 'import'.length)
        offset = node.start
      return 'enter'
    })
  }
  if (offset === undefined) return undefined
  return {
    kind: 'problem',
    message: 'import.meta is not there: a program is no module',
    hint: hintForModule(''),
    offset,
  }
}

function stepOf(node: Program['body'][number], text: string): Step {
  if (node.type === 'ImportDeclaration') return importStep(node)
  if (node.type === 'ExportAllDeclaration') return modulesProblem(String(node.source.value), node.start)
  if (node.type === 'ExportNamedDeclaration') return namedExport(node)
  if (node.type === 'ExportDefaultDeclaration') return defaultExport(node)
  if (node.type === 'ExpressionStatement' && MODULE_MARK.test(text.slice(node.start, node.start + 120)))
    return { edits: [{ start: node.start, end: node.end, text: ';' }], notice: EXPORT_NOTICE }
  return mainCheck(node, text) ?? ownRequire(node, text) ?? commonJsExport(node, text) ?? { edits: [], statement: node }
}

/** What compilers write into CommonJS. */
const MODULE_MARK = /^Object\.defineProperty\(\s*(?:module\.)?exports\s*,\s*["']__esModule["']/

const GLOBALS: ReadonlySet<string> = new Set(['tools', 'console'])
const OWN_MODULE =
  /^(?:@?drawbridge(?:[-/].*)?|tools|(?:\.{0,2}\/)*tools(?:\.[jt]s)?|tool[-_]search(?:[-_]code)?|@tools|virtual:tools)$/

const IMPORT_NOTICE: Notice = {
  code: 'import-removed',
  message: 'the import was left out: `tools` is a global, and there are no modules',
}

function importStep(node: ImportDeclaration): Step {
  const specifier = String(node.source.value)
  const isOwn = OWN_MODULE.test(specifier)
  const aliases: string[] = []
  for (const item of node.specifiers) {
    const imported =
      item.type === 'ImportSpecifier' && item.imported.type === 'Identifier' ? item.imported.name : 'tools'
    const isGlobal = GLOBALS.has(imported) && (isOwn || item.type === 'ImportSpecifier' || item.local.name === 'tools')
    if (!isGlobal) return modulesProblem(specifier, node.start)
    if (item.local.name !== imported) aliases.push(`const ${item.local.name} = ${imported};`)
  }
  if (node.specifiers.length === 0 && !isOwn) return modulesProblem(specifier, node.start)
  return { edits: [{ start: node.start, end: node.end, text: aliases.join(' ') }], notice: IMPORT_NOTICE }
}

/** `if (require.main === module) main()`, with which a file tells whether it was started itself: here it was. */
function mainCheck(node: Statement, text: string): Step | undefined {
  if (node.type !== 'IfStatement' || !MAIN_CHECK.test(text.slice(node.test.start, node.test.end))) return undefined
  const { consequent } = node
  const edits = [
    { start: node.start, end: consequent.start, text: '' },
    { start: consequent.end, end: node.end, text: '' },
  ]
  return { edits, statement: consequent, notice: MAIN_NOTICE }
}

const MAIN_CHECK =
  /^(?:typeof\s+require\s*!==?\s*(["'])undefined\1\s*&&\s*)?(?:require\s*\.\s*main\s*===?\s*module|import\s*\.\s*meta\s*\.\s*main|(?:import\.meta\.url|process\.argv\[1\])\s*===?[^;]{1,200})$/

const MAIN_NOTICE: Notice = {
  code: 'import-removed',
  message: 'the check for the main module was left out: there are no modules, and the program always runs',
}

/** `const { tools } = require('drawbridge')` would hide the global that it asks for. */
function ownRequire(node: Statement, text: string): Step | undefined {
  if (node.type !== 'VariableDeclaration') return undefined
  const written =
    /^(?:const|let|var)\s+(?:tools|\{\s*tools\s*,?\s*\})\s*=\s*(?:await\s+)?(?:require|import)\(\s*(["'`])([^"'`]{1,80})\1\s*\)(?:\.tools)?\s*;?$/
  const specifier = written.exec(text.slice(node.start, Math.min(node.end, node.start + 240)))?.[2]
  if (specifier === undefined || !OWN_MODULE.test(specifier)) return undefined
  return { edits: [{ start: node.start, end: node.end, text: ';' }], notice: IMPORT_NOTICE }
}

function modulesProblem(specifier: string, offset: number): ModuleProblem {
  const message = `import is not possible: a program has no modules, so there is no ${JSON.stringify(specifier.slice(0, 100))}`
  return { kind: 'problem', message, hint: hintForModule(specifier), offset }
}

const EXPORT_NOTICE: Notice = {
  code: 'export-removed',
  message: 'export was left out: a program is the body of an async function',
}

function namedExport(node: ExportNamedDeclaration): Step {
  if (node.source) return modulesProblem(String(node.source.value), node.start)
  const { declaration } = node
  if (declaration) {
    const edits = [{ start: node.start, end: declaration.start, text: '' }]
    const name = declaration.type === 'FunctionDeclaration' ? declaration.id.name : undefined
    return { edits, statement: declaration, notice: EXPORT_NOTICE, ...(name !== undefined && { exported: name }) }
  }
  const chosen =
    node.specifiers.find((item) => item.exported.type === 'Identifier' && item.exported.name === 'default') ??
    node.specifiers[0]
  const name = chosen?.local.type === 'Identifier' ? chosen.local.name : undefined
  return {
    edits: [{ start: node.start, end: node.end, text: ';' }],
    notice: EXPORT_NOTICE,
    ...(name !== undefined && { exported: name }),
  }
}

function defaultExport(node: ExportDefaultDeclaration): Step {
  const { declaration } = node
  if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') {
    if (!declaration.id)
      return { edits: [], notice: EXPORT_NOTICE, exportedValue: valueOf(node, anonymous(declaration)) }
    const edits = [{ start: node.start, end: declaration.start, text: '' }]
    const { name } = declaration.id
    // With an id it is an ordinary declaration.
    return { edits, statement: { ...declaration, id: declaration.id }, notice: EXPORT_NOTICE, exported: name }
  }
  if (declaration.type !== 'Identifier')
    return { edits: [], notice: EXPORT_NOTICE, exportedValue: valueOf(node, declaration) }
  return { edits: [{ start: node.start, end: node.end, text: ';' }], notice: EXPORT_NOTICE, exported: declaration.name }
}

type Anonymous = Extract<
  ExportDefaultDeclaration['declaration'],
  { readonly type: 'FunctionDeclaration' | 'ClassDeclaration' }
>

function anonymous(declaration: Anonymous): Expression {
  return declaration.type === 'FunctionDeclaration'
    ? { ...declaration, type: 'FunctionExpression', id: null }
    : { ...declaration, type: 'ClassExpression', id: null }
}

function valueOf(statement: { readonly start: number; readonly end: number }, value: Expression): ExportedValue {
  return { start: statement.start, end: statement.end, value }
}

/** `module.exports = …`, `exports.main = …`. */
function commonJsExport(node: Statement, text: string): Step | undefined {
  if (node.type !== 'ExpressionStatement' || node.expression.type !== 'AssignmentExpression') return undefined
  const { left, right, operator } = node.expression
  if (operator !== '=' || !/^(?:module\s*\.\s*)?exports(?:\s*\.\s*\w+)?$/.test(text.slice(left.start, left.end)))
    return undefined
  if (right.type !== 'Identifier') return { edits: [], notice: EXPORT_NOTICE, exportedValue: valueOf(node, right) }
  return { edits: [{ start: node.start, end: node.end, text: ';' }], notice: EXPORT_NOTICE, exported: right.name }
}
