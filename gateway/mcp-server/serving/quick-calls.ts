import type { CallToolResult, Implementation } from '@modelcontextprotocol/server'
import { SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import { isJsonObject } from '../../../catalog/json.ts'
import type { Authenticated } from '../../auth/authenticate.ts'
import type { Answer } from '../answering/call-context.ts'
import type { Asking } from '../answering/call-tool.ts'
import type { Entry } from './caller-book.ts'
import type { Inbound } from './is-legacy.ts'
import { createKnownEnvelopes } from './known-envelopes.ts'
import type { NoteRelay } from './note-relay.ts'
import { createNoteRelay } from './note-relay.ts'
import type { QuickCall } from './read-quick-call.ts'
import { readQuickCall } from './read-quick-call.ts'

export interface QuickCalls {
  /** Answers a call here and now, or says with what the SDK has to be given it: everything else about it is the SDK's. */
  serve(inbound: Inbound, authenticated: Authenticated, onLeft: OnLeft): Promise<QuickAnswer>
  /** Ends the calls that are under way. */
  close(): void
}

/** Has it told when the client goes away. */
export type OnLeft = (leave: () => void) => void

export type QuickAnswer =
  | { readonly kind: 'answer'; readonly json: string }
  | { readonly kind: 'for-sdk'; readonly call?: NonNullable<Entry['call']> }

export interface QuickCallsDeps {
  readonly callTool: (params: QuickCall['params'], asking: Asking) => Promise<Answer>
  readonly serverInfo: Implementation
}

/**
 * Plain calls of stateless clients past the SDK, which makes a request, a server, a transport and a response for each. They
 * take the same way from `callTool` on, and are answered to the letter as the SDK does: whatever it has a say in (what a
 * client says of itself, blocks that are no texts, questions, errors) still goes through it, with the call already made.
 */
export function createQuickCalls({ callTool, serverInfo }: QuickCallsDeps): QuickCalls {
  const envelopes = createKnownEnvelopes()
  const open = new Set<AbortController>()
  return {
    async serve(inbound, authenticated, onLeft) {
      const call = readQuickCall(inbound)
      if (call === undefined) return { kind: 'for-sdk' }
      const onLetIn = (): void => envelopes.add(call.envelope)
      if (!envelopes.has(call.envelope)) return { kind: 'for-sdk', call: { onLetIn } }
      const stop = new AbortController()
      open.add(stop)
      // As the SDK ends a call whose client has gone: a call that waits is then over, and not parked.
      onLeft(() => stop.abort(new Error('the client went away')))
      const notes = call.progressToken === undefined ? undefined : createNoteRelay()
      const made = callTool(call.params, askingOf(call, { authenticated, notes, signal: stop.signal }))
      const end = (): void => void open.delete(stop)
      made.then(end, end)
      try {
        // What is told before the answer makes a stream of it, which is the SDK's to send.
        const answer = await (notes === undefined ? made : Promise.race([notes.begun, made]))
        if (answer !== undefined && isPlain(answer))
          return { kind: 'answer', json: JSON.stringify(messageOf(call, answer, serverInfo)) }
      } catch {
        // The SDK's handler is given the same error, and says it as it says any.
      }
      return { kind: 'for-sdk', call: { onLetIn, made, ...(notes && { notes }) } }
    },
    close() {
      for (const stop of open) stop.abort(new Error('the gateway stops'))
    },
  }
}

interface Within {
  readonly authenticated: Authenticated
  readonly notes: NoteRelay | undefined
  readonly signal: AbortSignal
}

function askingOf({ envelope, progressToken }: QuickCall, { authenticated, notes, signal }: Within): Asking {
  const { notify } = notes ?? { notify: refuse }
  const told = progressToken === undefined ? {} : { _meta: { progressToken } }
  return {
    authenticated,
    context: { mcpReq: { envelope, signal, requestState: () => undefined, notify, send: refuse, ...told } },
    server: { getClientCapabilities: () => undefined, projectCallToolResult: (result) => result },
  }
}

/** Of the stateless revision nothing goes to a client before its answer but progress, which was not asked for. */
function refuse(): Promise<never> {
  return Promise.reject(new TypeError('a stateless call has no other way to its client than its answer'))
}

/** Texts, with a structured result or none: what the SDK neither checks further nor changes. */
function isPlain(answer: Answer): answer is CallToolResult {
  if (!('content' in answer) || !Array.isArray(answer.content)) return false
  const { content, structuredContent, isError, ...more } = answer
  const isObject = structuredContent === undefined || isJsonObject(structuredContent)
  if (!isObject || typeof isError !== 'boolean' || Object.keys(more).length > 0) return false
  return content.every((block) => block.type === 'text' && Object.keys(block).length === 2)
}

function messageOf({ id }: QuickCall, answer: CallToolResult, serverInfo: Implementation): object {
  const { content, structuredContent, isError } = answer
  const result = {
    content,
    ...(structuredContent !== undefined && { structuredContent }),
    isError,
    resultType: 'complete',
    _meta: { [SERVER_INFO_META_KEY]: serverInfo },
  }
  return { result, jsonrpc: '2.0', id }
}
