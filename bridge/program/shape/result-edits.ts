import type { BlockStatement, Expression, Statement, VariableDeclaration } from 'acorn'
import type { Edit } from '../text/edited-text.ts'
import { walk } from '../parsing/walk.ts'

/** True where the statement returns from the program itself, not from a function inside it. */
export function hasOwnReturn(statement: Statement): boolean {
  let found = false
  walk(statement, (node) => {
    if (node.type === 'ReturnStatement') found = true
    // Expressions and declarations hold none but those of their functions, and most of a program is in them.
    return !found && HOLDS_STATEMENTS.test(node.type) ? 'enter' : 'skip'
  })
  return found
}

const HOLDS_STATEMENTS = /^(?!Expression)\w+Statement$|^(?:SwitchCase|CatchClause)$/

/** `console.log(…)` as the last statement is there for the log; it has no value to return. */
export function isConsoleCall(expression: Expression): boolean {
  if (expression.type !== 'CallExpression' || expression.callee.type !== 'MemberExpression') return false
  const { object } = expression.callee
  return object.type === 'Identifier' && object.name === 'console'
}

/** A timer's number is no result to anyone. */
export function isTimerCall(expression: Expression): boolean {
  if (expression.type !== 'CallExpression' || expression.callee.type !== 'Identifier') return false
  return expression.callee.name === 'setTimeout' || expression.callee.name === 'setInterval'
}

/**
 * Returns the last expression of a block, of both branches of an `if` and of a `try` with its `catch`: there the value
 * of the whole is plain. Loops and switches have several values; they are left.
 */
export function resultEdits(last: Statement): readonly Edit[] {
  const edits: Edit[] = []
  const open: { readonly statement: Statement | undefined; readonly word: string }[] = [
    { statement: last, word: 'return ' },
  ]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { statement, word } = next
    if (statement === undefined) continue
    if (statement.type === 'ExpressionStatement' && !isConsoleCall(statement.expression)) {
      edits.push({ start: statement.start, end: statement.start, text: word })
    } else if (statement.type === 'BlockStatement') {
      if (statement === last && isObjectLiteral(statement))
        edits.push({ start: statement.start, end: statement.start, text: word })
      else open.push({ statement: lastOf(statement), word })
    } else if (statement.type === 'LabeledStatement') {
      open.push({ statement: statement.body, word })
    } else if (statement.type === 'IfStatement') {
      open.push({ statement: statement.consequent, word }, { statement: statement.alternate ?? undefined, word })
    } else if (statement.type === 'TryStatement') {
      // Awaited, so that a failing call still reaches the catch.
      open.push({ statement: lastOf(statement.block), word: 'return await ' })
      if (statement.handler) open.push({ statement: lastOf(statement.handler.body), word })
    }
  }
  return edits
}

function lastOf(block: BlockStatement): Statement | undefined {
  return block.body.findLast((statement) => statement.type !== 'EmptyStatement')
}

/** `{ total: r.sum }` and `{ total }` at the end are objects to any reader, though blocks to the language. */
export function isObjectLiteral({ body }: BlockStatement): boolean {
  const [only] = body
  if (only === undefined || body.length !== 1) return false
  if (only.type === 'LabeledStatement')
    return only.body.type === 'ExpressionStatement' && only.body.end === only.body.expression.end
  if (only.type !== 'ExpressionStatement' || only.end !== only.expression.end) return false
  const { expression } = only
  if (expression.type === 'Identifier') return true
  return expression.type === 'SequenceExpression' && expression.expressions.every(({ type }) => type === 'Identifier')
}

/** What a last declaration made: the value of its one name, or an object of them, as for `const { sum } = …`. */
export function declaredValue({ declarations }: VariableDeclaration): string | undefined {
  const names = declarations.flatMap(({ id, init }) => {
    if (!init || /Function/.test(init.type)) return []
    if (id.type === 'Identifier') return [id.name]
    const parts =
      id.type === 'ObjectPattern'
        ? id.properties.map((property) => (property.type === 'Property' ? property.value : property.argument))
        : id.type === 'ArrayPattern'
          ? id.elements
          : []
    return parts.flatMap((part) => {
      const target = part?.type === 'AssignmentPattern' ? part.left : part
      return target?.type === 'Identifier' ? [target.name] : []
    })
  })
  const [name] = names
  const isOne = declarations.length === 1 && declarations[0]?.id.type === 'Identifier'
  return isOne || name === undefined ? name : `{ ${names.join(', ')} }`
}
