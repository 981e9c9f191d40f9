import type { Node } from 'acorn'
import type { Edit } from '../text/edited-text.ts'
import { nodeAt, nodesAt } from './walk.ts'

/** `constructor(private a: number) {}`: the modifiers go, and the body begins with what they stand for. */
export function parameterPropertyEdits(node: Node): readonly Edit[] {
  const made = node.type === 'MethodDefinition' ? nodeAt(node, 'value') : undefined
  const body = made === undefined ? undefined : nodeAt(made, 'body')
  if (made === undefined || body === undefined) return []
  const named = nodesAt(made, 'params').flatMap((param) => {
    const name = param.type === 'TSParameterProperty' ? nameIn(param) : undefined
    return name === undefined ? [] : [{ start: param.start, end: name.start, name: String(Reflect.get(name, 'name')) }]
  })
  if (named.length === 0) return []
  // There is no `this` before `super(…)`.
  const first = nodesAt(body, 'body').find(isSuperCall)
  const at = first?.end ?? body.start + 1
  const assigned = named.map(({ name }) => ` this.${name} = ${name};`).join('')
  return [
    ...named.map(({ start, end }) => ({ start, end, text: '' })),
    { start: at, end: at, text: first === undefined ? assigned : `;${assigned}` },
  ]
}

function nameIn(property: Node): Node | undefined {
  const parameter = nodeAt(property, 'parameter')
  const name = parameter?.type === 'AssignmentPattern' ? nodeAt(parameter, 'left') : parameter
  return name?.type === 'Identifier' ? name : undefined
}

function isSuperCall(statement: Node): boolean {
  const call = nodeAt(statement, 'expression')
  return call?.type === 'CallExpression' && nodeAt(call, 'callee')?.type === 'Super'
}
