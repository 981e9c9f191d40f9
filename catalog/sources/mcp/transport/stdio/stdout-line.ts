import type { JSONRPCMessage } from '@modelcontextprotocol/client'
import { parseJSONRPCMessage } from '@modelcontextprotocol/client'
import { isJsonObject } from '../../../../json.ts'
import type { RequestId } from '../answer-guard.ts'
import { mendMessage } from '../mend-message.ts'
import { gluedMessages } from './glued-messages.ts'

export interface StdoutLine {
  /** One as a rule, several where a server answers in a list, none in noise. */
  readonly messages: readonly JSONRPCMessage[]
  /** What is answered by something else than a message: whoever waits for it need not wait any longer. */
  readonly badAnswers: readonly RequestId[]
}

/** What is nearly a message is made one; terminals are sent colours and cursors by programs that do not look whether it is one. */
export function readStdoutLine(line: string): StdoutLine {
  const values = valuesIn(line)
  const messages: JSONRPCMessage[] = []
  const badAnswers: RequestId[] = []
  for (const value of values) {
    const message = asMessage(value) ?? asMessage(mended(value))
    const id = message === undefined ? answeredBy(value) : undefined
    if (message !== undefined) messages.push(message)
    if (id !== undefined) badAnswers.push(id)
  }
  return { messages, badAnswers }
}

function valuesIn(line: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(line.startsWith('{') ? line : line.replace(TERMINAL_CODES, ''))
    return Array.isArray(value) ? value : [value]
  } catch {
    // No JSON as a whole.
    return gluedMessages(line)
  }
}

function asMessage(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value)
  } catch {
    // None of the protocol, at least not as it is.
    return undefined
  }
}

function mended(value: unknown): unknown {
  const said = mendMessage(value)
  if (!isJsonObject(said) || said['id'] !== null || !isJsonObject(said['error'])) return said
  // What could not be read has no id; the reader of the protocol wants none in its place.
  const { id: _none, ...refusal } = said
  return refusal
}

function answeredBy(value: unknown): RequestId | undefined {
  if (!isJsonObject(value) || 'method' in value || !('result' in value || 'error' in value)) return undefined
  const { id } = value
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

// oxlint-disable-next-line no-control-regex -- control characters are what it is about
const TERMINAL_CODES = /^(?:\u001B\[[0-9;?]*[A-Za-z]|[\u0000-\u001F])+/
