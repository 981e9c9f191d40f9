import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Answer, Operation, ProgramRequest } from '../program-host.ts'

/** A gateway in small: a few tools, two that exist and are hidden, exact ids only. For tests of the bridge itself. */
export interface AbuseGateway {
  readonly answer: ProgramRequest['answer']
  /** Calls that reached a tool. */
  calls(): number
}

const IDS = ['plugin:math:add', 'plugin:echo:say', 'plugin:slow:wait', 'plugin:fail:leaky']

export function createAbuseGateway(): AbuseGateway {
  let calls = 0
  const values = new Map<string, JsonValue>()
  return {
    calls: () => calls,
    answer: async (operation, _id, signal) => {
      if (operation.kind === 'search') return search(operation.query)
      if (operation.kind === 'describe') return describe(operation.ids)
      if (operation.kind === 'store-get') return value(values.get(JSON.stringify(operation.key)) ?? null)
      if (operation.kind === 'store-set') {
        values.set(JSON.stringify(operation.key), operation.value)
        return value(true)
      }
      if (operation.kind === 'artifact-read') return failure('invalid-input', 'there is no artifact here')
      const id = selectedId(operation)
      if (id === undefined) return unknownTool()
      const problem = inputProblem(id, operation.args)
      if (problem !== undefined) return failure('invalid-input', problem)
      calls++
      return execute(id, operation.args, signal)
    },
  }
}

function search(query: JsonValue): Answer {
  if (typeof query !== 'string' || query.trim() === '') return failure('invalid-input', 'query: give some words')
  const hits = IDS.map((id) => ({ id, name: id.split(':')[2] ?? '', description: id, score: 1 }))
  return value({ hits, notes: [] })
}

function describe(ids: JsonValue): Answer {
  return typeof ids === 'string' && IDS.includes(ids) ? value({ id: ids, name: ids, description: ids }) : unknownTool()
}

function selectedId(operation: Extract<Operation, { kind: 'call' }>): string | undefined {
  const { selector } = operation
  const text = selector.kind === 'path' ? `plugin:${selector.owner}:${selector.name}` : selector.text
  return typeof text === 'string' && IDS.includes(text) ? text : undefined
}

function inputProblem(id: string, args: JsonValue): string | undefined {
  if (!isJsonObject(args)) return 'arguments: an object is expected'
  const wanted: readonly string[] =
    { 'plugin:math:add': ['a', 'b'], 'plugin:echo:say': ['text'], 'plugin:slow:wait': ['ms'] }[id] ?? []
  const type = id === 'plugin:echo:say' ? 'string' : 'number'
  const given = Object.keys(args)
  const extra = given.find((key) => !wanted.includes(key))
  if (extra !== undefined) return `arguments: no property ${extra}`
  const wrong = wanted.find((key) => typeof args[key] !== type)
  return wrong === undefined ? undefined : `arguments.${wrong}: a ${type} is expected`
}

async function execute(id: string, args: JsonValue, signal: AbortSignal): Promise<Answer> {
  const given = isJsonObject(args) ? args : {}
  switch (id) {
    case 'plugin:math:add':
      return value({ sum: Number(given['a']) + Number(given['b']) })
    case 'plugin:echo:say':
      return value({ said: textOf(given['text']).slice(0, 100) })
    case 'plugin:slow:wait':
      await delay(Number(given['ms']), signal)
      return value({ waited: Number(given['ms']) })
    default:
      return { kind: 'error', code: 'failed', message: 'cannot open the file', effect: 'unknown' }
  }
}

function textOf(json: JsonValue | undefined): string {
  return typeof json === 'string' ? json : ''
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function value(json: JsonValue): Answer {
  return { kind: 'value', value: json }
}

function unknownTool(): Answer {
  return failure('unknown-tool', 'no such tool; search for one')
}

function failure(code: string, message: string): Answer {
  return { kind: 'error', code, message, effect: 'none' }
}
