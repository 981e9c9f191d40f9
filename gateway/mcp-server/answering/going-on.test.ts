import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { Approval } from '../../../bridge/approval.ts'
import type { FrozenCall } from '../../../bridge/approving/frozen-call.ts'
import type { ModelResult } from '../../../bridge/presentation/presentation.ts'
import { anApproval } from '../../../bridge/testing/an-approval.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import { createTool } from '../../../catalog/tool.ts'
import type { PresentRequest } from '../../presenting/presenter.ts'
import { createCallerBook } from '../serving/caller-book.ts'
import { createAgentServer } from '../serving/create-agent-server.ts'
import type { ModernHandlers } from '../serving/modern-handlers.ts'
import { createModernHandlers } from '../serving/modern-handlers.ts'
import type { Make } from '../testing/a-server.ts'
import { AUTHENTICATED, ENVELOPE, serverDeps } from '../testing/a-server.ts'

const ASKED = { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } }
const SERVER_TOOL = createTool('mcp', 'files', { name: 'wipe', description: 'Wipes.', inputSchema: {} })
const FROZEN: FrozenCall = JSON.parse('{"callId":"call_1"}')

const open = new Set<ModernHandlers>()

afterEach(async () => {
  for (const modern of open) await modern.close()
  open.clear()
})

/** A gateway whose calls come to what `make` does. */
function aWorld(make: Make) {
  const approvals = new Map<string, Approval>()
  const state = { made: 0, parked: 0 }
  const book = createCallerBook()
  const deps = serverDeps(
    (request, signal) => {
      state.made += 1
      return make(request, signal)
    },
    {
      entryOf: book.entryOf,
      mayDecide: () => true,
      async decide(decisions) {
        for (const { id } of decisions) {
          const approval = approvals.get(id)
          if (approval?.state === 'pending') approvals.set(id, { ...approval, state: 'allowed-once' })
        }
        return []
      },
      getApproval: async (_tenant, id) => approvals.get(id),
      hold: () => ({
        hold: {
          async begin({ approval }) {
            if (approval === undefined) throw new Error('nothing to wait for')
            approvals.set(approval.id, approval)
            const { id, callId, toolId, title, expiresMs } = approval
            return { approval: id, callId, tool: toolId, title, expiresMs }
          },
          end: async () => {},
          parked: new AbortController().signal,
          reachesClient: false,
        },
        park: () => void (state.parked += 1),
        finish: async (settled) => settled,
        release: () => undefined,
      }),
    },
  )
  const createServer = () => createAgentServer(deps, AUTHENTICATED.caller)
  const modern = createModernHandlers({ createServer, onError: () => {} })
  open.add(modern)
  const send = async (more: JsonObject, signal?: AbortSignal): Promise<JsonObject> => {
    const params = { name: 'default__echo', arguments: { a: 1 }, _meta: ASKED, ...more }
    const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params }
    const authInfo = book.enter({ authenticated: AUTHENTICATED, requestId: 'req_1' })
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: HEADERS, ...(signal && { signal }) })
    const response = await modern.of('default').fetch(request, { authInfo, parsedBody: body })
    return JSON.parse(await response.text()).result
  }
  const settled = (id: string): Promise<void> => expect.poll(() => approvals.get(id)?.state).toBe('allowed-once')
  return { send, state, settled }
}

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'default__echo',
}

function textResult(text: string): ModelResult {
  return { kind: 'result', text, isError: false, searches: 0, describes: 0, calls: [] }
}

/** Waits for a person, as the dispatcher does. */
async function waitFor(id: string, { hold }: PresentRequest): Promise<void> {
  const approval = anApproval({ id, toolId: 'mcp:files:wipe', title: 'Call wipe of files' })
  await hold?.begin({ call: FROZEN, approval })
}

const accept = (...ids: readonly string[]) =>
  Object.fromEntries(ids.map((id) => [id, { action: 'accept', content: { decision: 'allow-once' } }]))
const asksFor = (result: JsonObject): readonly string[] => Object.keys(Object(result['inputRequests']))
const stateOf = (result: JsonObject): JsonObject => ({ requestState: result['requestState'] ?? null })

/** Needs one approval, and does what it does once that is there. */
function aGuardedCall() {
  const world: ReturnType<typeof aWorld> = aWorld(async (request, signal) => {
    await waitFor('apr_1', request)
    await world.settled('apr_1')
    return textResult(signal.aborted ? 'cancelled' : 'done')
  })
  return world
}

test('a continuation is of the call that it was asked in: with other arguments or another tool it is refused', async () => {
  const { send, state } = aGuardedCall()
  const asked = await send({})
  expect(asksFor(asked)).toEqual(['apr_1'])
  const answer = { ...stateOf(asked), inputResponses: accept('apr_1') }
  expect(JSON.stringify(await send({ ...answer, arguments: { a: 2 } }))).toContain('is of another call')
  expect(JSON.stringify(await send(answer))).toContain('done')
  expect(state.made).toBe(1)
})

test('two continuations at once both give the end of the one call; one more hears that it has ended', async () => {
  const { send, state } = aGuardedCall()
  const answer = { ...stateOf(await send({})), inputResponses: accept('apr_1') }
  const both = await Promise.all([send(answer), send(answer)])
  expect(both.map((each) => JSON.stringify(each).includes('done'))).toEqual([true, true])
  expect(JSON.stringify(await send(answer))).toContain('this call has ended')
  expect(state.made).toBe(1)
})

test('one continuation that breaks off takes nothing from another', async () => {
  const { send, state } = aGuardedCall()
  const asked = await send({})
  const breaks = new AbortController()
  const broken = send(stateOf(asked), breaks.signal).catch(() => 'broken')
  const other = send({ ...stateOf(asked), inputResponses: accept('apr_1') })
  await nextTurn()
  breaks.abort()
  expect(JSON.stringify(await other)).toContain('done')
  await broken
  expect(state.made).toBe(1)
})

/** Asks its client, takes the question back, and needs an approval after that. */
function aCallThatTakesBack() {
  const takeBack = new AbortController()
  const world = aWorld(async (request) => {
    const question = {
      kind: 'form',
      message: 'Sure?',
      fields: [{ name: 'sure', type: 'boolean', isRequired: true }],
    } as const
    await request.askClient?.ask({ tool: SERVER_TOOL, question }, takeBack.signal).catch(() => undefined)
    await waitFor('apr_1', request)
    await world.settled('apr_1')
    return textResult('done')
  })
  return { ...world, takeBack: () => takeBack.abort(new Error('went on without')) }
}

test('a late answer to a question that was taken back parks nothing: the client is asked what comes next', async () => {
  const { send, state, takeBack } = aCallThatTakesBack()
  const asked = await send({})
  const [question = ''] = asksFor(asked)
  takeBack()
  const next = await send({ ...stateOf(asked), inputResponses: { [question]: { action: 'cancel' } } })
  expect([asksFor(next), state.parked]).toEqual([['apr_1'], 0])
  expect(JSON.stringify(await send({ ...stateOf(next), inputResponses: accept('apr_1') }))).toContain('done')
})

test('what is put aside after it was decided parks nothing', async () => {
  const { send, state } = aGuardedCall()
  const asked = await send({})
  const said = [accept('apr_1'), { apr_1: { action: 'cancel' } }].map((inputResponses) =>
    send({ ...stateOf(asked), inputResponses }),
  )
  expect(JSON.stringify(await Promise.all(said)).match(/done/g)).toHaveLength(2)
  expect(state.parked).toBe(0)
})
