import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import type { LogEntry } from '../run.ts'
import { ABSENT_PLACES_CHARS, JSON_MAX_DEPTH } from './limits.ts'
import type { AbsentMembers, Operation } from './program-host.ts'
import type { ProgramMessage, WorkerEvent } from './protocol.ts'
import { ProtocolError } from './protocol.ts'

const LEVELS = ['debug', 'info', 'log', 'warn', 'error'] as const
const LIMITS = ['calls', 'output', 'depth'] as const
/** A longer one would be due at once. */
const TIMER_MAX_MS = 2 ** 31 - 1

/** @throws {ProtocolError} for whatever is not exactly an event */
export function parseEvent(text: string): WorkerEvent {
  if (!isWithinDepth(text, JSON_MAX_DEPTH)) throw new ProtocolError('frame nested too deep')
  const frame = parseJson(text)
  if (!isJsonObject(frame)) throw new ProtocolError('frame is no object')
  if (frame['t'] === 'ready') return { t: 'ready', spares: countOf(frame['spares']) }
  const run = countOf(frame['run'])
  const messages = listOf(frame['messages']).map(parseMessage)
  if (frame['t'] === 'part') return { t: 'part', run, messages }
  if (frame['t'] !== 'step') throw new ProtocolError('frame of an unknown kind')
  const step = {
    t: 'step',
    run,
    messages,
    cpuUs: countOf(frame['cpuUs']),
    heapBytes: countOf(frame['heapBytes']),
  } as const
  const cause = frame['cause']
  if (cause === undefined) return step
  if (cause !== 'memory' && cause !== 'timeout') throw new ProtocolError('step with an unknown cause')
  return { ...step, cause }
}

function parseMessage(value: JsonValue): ProgramMessage {
  if (!isJsonObject(value)) throw new ProtocolError('message is no object')
  switch (textOf(value['k'])) {
    case 'op':
      return { kind: 'operation', id: countOf(value['id']), operation: parseOperation(value['op']) }
    case 'timer':
      return { kind: 'timer', id: countOf(value['id']), ms: timerMsOf(value['ms']) }
    case 'clear':
      return { kind: 'clear', id: countOf(value['id']) }
    case 'log':
      return { kind: 'log', entry: { level: levelOf(value['level']), text: textOf(value['text']) } }
    case 'unhandled':
      return { kind: 'unhandled', text: textOf(value['text']) }
    case 'closed':
      return { kind: 'closed', awaited: countOf(value['awaited']) }
    case 'limit':
      return { kind: 'limit', limit: limitOf(value['limit']), droppedLog: countOf(value['droppedLog']) }
    case 'end':
      return parseEnd(value)
    default:
      throw new ProtocolError('message of an unknown kind')
  }
}

function parseEnd(value: JsonObject): ProgramMessage {
  const droppedLog = countOf(value['droppedLog'])
  if (value['ok'] === true) return { kind: 'value', value: present(value['value']), ...absentIn(value), droppedLog }
  const thrown = { kind: 'thrown', name: textOf(value['name']), message: textOf(value['message']), droppedLog } as const
  if (value['line'] === undefined) return thrown
  return { ...thrown, line: countOf(value['line']), column: countOf(value['column']) }
}

function absentIn(value: JsonObject): { readonly absent?: AbsentMembers } {
  if (value['absent'] === undefined) return {}
  return {
    absent: { count: countOf(value['absent']), places: textOf(value['absentAt']).slice(0, ABSENT_PLACES_CHARS) },
  }
}

function parseOperation(value: JsonValue | undefined): Operation {
  if (!isJsonObject(value)) throw new ProtocolError('operation is no object')
  switch (textOf(value['kind'])) {
    case 'search':
      return { kind: 'search', query: present(value['query']), options: present(value['options']) }
    case 'describe':
      return { kind: 'describe', ids: present(value['ids']), options: present(value['options']) }
    case 'call':
      return {
        kind: 'call',
        selector: parseSelector(value['selector']),
        args: present(value['args']),
        options: present(value['options']),
      }
    case 'artifact-read':
      return { kind: 'artifact-read', id: present(value['id']), options: present(value['options']) }
    case 'store-get':
      return { kind: 'store-get', key: present(value['key']) }
    case 'store-set':
      return { kind: 'store-set', key: present(value['key']), value: present(value['value']) }
    default:
      throw new ProtocolError('operation of an unknown kind')
  }
}

function parseSelector(value: JsonValue | undefined): Extract<Operation, { kind: 'call' }>['selector'] {
  if (!isJsonObject(value)) throw new ProtocolError('selector is no object')
  if (value['kind'] === 'text') return { kind: 'text', text: present(value['text']) }
  if (value['kind'] === 'path') return { kind: 'path', owner: textOf(value['owner']), name: textOf(value['name']) }
  throw new ProtocolError('selector of an unknown kind')
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ProtocolError('frame is no JSON', { cause })
  }
}

function present(value: JsonValue | undefined): JsonValue {
  if (value === undefined) throw new ProtocolError('message with a member missing')
  return value
}

function countOf(value: JsonValue | undefined): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new ProtocolError('no count')
  return value
}

function timerMsOf(value: JsonValue | undefined): number {
  const ms = countOf(value)
  if (ms > TIMER_MAX_MS) throw new ProtocolError('timer too long')
  return ms
}

function textOf(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new ProtocolError('no text')
  return value
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (!Array.isArray(value)) throw new ProtocolError('no list')
  return value
}

function levelOf(value: JsonValue | undefined): LogEntry['level'] {
  const level = LEVELS.find((name) => name === value)
  if (level === undefined) throw new ProtocolError('no log level')
  return level
}

function limitOf(value: JsonValue | undefined): string {
  const limit = LIMITS.find((name) => name === value)
  if (limit === undefined) throw new ProtocolError('no limit of a program')
  return limit
}

/** Before parsing: a parser that recurses must not be the one to find out. */
export function isWithinDepth(text: string, maxDepth: number): boolean {
  let depth = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isInString) {
      if (code === 0x5c) index++
      else if (code === 0x22) isInString = false
    } else if (code === 0x22) isInString = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return false
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return true
}
