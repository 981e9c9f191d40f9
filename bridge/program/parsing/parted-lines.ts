import type { Node, Program } from 'acorn'
import type { Notice } from '../../outcome.ts'
import { applyEdits } from '../text/edited-text.ts'
import type { Edit } from '../text/edited-text.ts'
import type { MendedProgram } from './mended-program.ts'
import type { ParseProgram } from './parse-program.ts'
import { nodeAt, nodesAt, walk } from './walk.ts'

const NOTICE: Notice = {
  code: 'lines-parted',
  message:
    'a line that begins with [, ( or ` was read as a statement of its own; end the line before it with a semicolon',
}

/**
 * `const r = f()` and on the next line `[r, 1]` or a template with `r`: to the language one expression, which can only
 * fail, after its call was made. So can an index, a call or a template of what `console.log(…)` gives. Such lines are
 * statements of their own; all others are left as the language reads them.
 */
export function partLines(mended: MendedProgram, parse: ParseProgram): MendedProgram {
  if (mended.kind === 'fault' || !/[^\s;,{}([:?=>&|+*/-][ \t\r]*\n\s*[[(`]/.test(mended.text.text)) return mended
  const edits = jointsIn(mended.text.text, mended.program).map((at): Edit => ({ start: at, end: at, text: ';' }))
  if (edits.length === 0) return mended
  const text = applyEdits(mended.text, edits)
  const parsed = parse(text.text, 'javascript')
  // Inside of brackets no statement begins.
  if (parsed.kind === 'error') return mended
  return { ...mended, text, program: parsed.program, notices: [...mended.notices, NOTICE] }
}

function jointsIn(text: string, program: Program): readonly number[] {
  const joints: number[] = []
  walk(program, (node) => {
    if (node.type === 'VariableDeclarator') {
      const id = nodeAt(node, 'id')
      const init = nodeAt(node, 'init')
      const names = id === undefined ? new Set<unknown>() : namesIn(id)
      const joined = init === undefined ? [] : continuationsIn(text, init)
      joints.push(...joined.filter(({ rest }) => rest.some((one) => hasName(one, names))).map(({ base }) => base.end))
    }
    const list = node.type === 'MemberExpression' ? nodeAt(node, 'property') : undefined
    // No index is a list: `const all = []` and on the next line `[1, 2].map(…)`.
    if (list?.type === 'SequenceExpression') joints.push(...nextLineOf(text, node))
    if (node.type === 'ExpressionStatement') {
      joints.push(...continuationsIn(text, node).flatMap(({ base }) => (isConsoleCall(base) ? [base.end] : [])))
    }
    return 'enter'
  })
  return joints
}

function nextLineOf(text: string, member: Node): readonly number[] {
  const base = nodeAt(member, 'object')
  return base !== undefined && goesOnBelow(text, base) ? [base.end] : []
}

interface Continuation {
  readonly base: Node
  /** What stands in the brackets or in the template. */
  readonly rest: readonly Node[]
}

const PARTS: ReadonlyMap<string, readonly [base: string, rest: string]> = new Map([
  ['TaggedTemplateExpression', ['tag', 'quasi']],
  ['CallExpression', ['callee', 'arguments']],
  ['MemberExpression', ['object', 'property']],
])

/** Where an expression goes on, on a line that begins with a bracket or a template. */
function continuationsIn(text: string, expression: Node): readonly Continuation[] {
  const found: Continuation[] = []
  walk(expression, (node) => {
    if (/Function/.test(node.type)) return 'skip'
    const keys = PARTS.get(node.type)
    const base = keys === undefined ? undefined : nodeAt(node, keys[0])
    if (keys === undefined || base === undefined) return 'enter'
    if (goesOnBelow(text, base)) found.push({ base, rest: partsAt(node, keys[1]) })
    return 'enter'
  })
  return found
}

function goesOnBelow(text: string, base: Node): boolean {
  return /^\)*[ \t]*(?:\/\/[^\n]*)?\r?\n\s*[[(`]/.test(text.slice(base.end, base.end + GAP_CHARS))
}

/** Between two lines there is no more than a comment. */
const GAP_CHARS = 300

function partsAt(node: Node, key: string): readonly Node[] {
  const one = nodeAt(node, key)
  return one === undefined ? nodesAt(node, key) : [one]
}

function namesIn(pattern: Node): ReadonlySet<unknown> {
  const names = new Set<unknown>()
  walk(pattern, (node) => {
    if (node.type === 'Identifier') names.add(Reflect.get(node, 'name'))
    return 'enter'
  })
  return names
}

/** Used there and then; a function may be called later. */
function hasName(root: Node, names: ReadonlySet<unknown>): boolean {
  let found = false
  walk(root, (node) => {
    if (/Function/.test(node.type)) return 'skip'
    if (node.type === 'Identifier' && names.has(Reflect.get(node, 'name'))) found = true
    return 'enter'
  })
  return found
}

function isConsoleCall(node: Node): boolean {
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined
  const object = callee === undefined ? undefined : nodeAt(callee, 'object')
  return object?.type === 'Identifier' && Reflect.get(object, 'name') === 'console'
}
