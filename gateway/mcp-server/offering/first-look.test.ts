import { expect, test } from 'vitest'
import type { JsonObject } from '../../../catalog/json.ts'
import { McpCallError } from '../../../catalog/sources/mcp/errors.ts'
import { ToolUnavailable } from '../../../catalog/tool.ts'
import type { FirstLookDeps } from './first-look.ts'
import { createFirstLook } from './first-look.ts'

const PAGES: Readonly<Record<string, JsonObject>> = {
  'prompts/list': { prompts: [{ name: 'a' }], nextCursor: '2' },
  'prompts/list 2': { prompts: [{ name: 'b' }] },
  'resources/list': { resources: [{ uri: 'mem://a' }] },
}

function aServer({ isEnforced = true, fail }: { readonly isEnforced?: boolean; readonly fail?: () => Error } = {}) {
  const seen = { asked: 0, screened: [] as (readonly [string, readonly JsonObject[]])[], sinceMs: 1, fail }
  const deps: FirstLookDeps = {
    mcp: {
      status: () => [
        {
          server: 'files',
          address: 'files-server',
          state: { kind: 'ready', sinceMs: seen.sinceMs },
          toolCount: 0,
          hiddenToolCount: 0,
          problems: [],
          problemCount: 0,
        },
      ],
      async request(_server, { method, params }) {
        seen.asked += 1
        if (seen.fail !== undefined) throw seen.fail()
        const { cursor } = params
        return PAGES[typeof cursor === 'string' ? `${method} ${cursor}` : method]
      },
    },
    offers: {
      isEnforced: () => isEnforced,
      async screened(_server, { kind, items }) {
        seen.screened.push([kind, items])
        return items
      },
    },
  }
  const look = createFirstLook(deps)
  const never = new AbortController().signal
  return {
    seen,
    look: (group: 'resources' | 'prompts', signal = never, server = 'files') => look(server, group, signal),
  }
}

test('all that a server has of a kind is screened, once for all who ask', async () => {
  const { seen, look } = aServer()
  await Promise.all([look('prompts'), look('prompts')])
  await look('prompts')
  expect(seen.screened).toEqual([['prompts', [{ name: 'a' }, { name: 'b' }]]])
  await look('resources')
  expect(seen.screened.slice(1)).toEqual([
    ['resources', [{ uri: 'mem://a' }]],
    ['templates', []],
  ])
})

test('after the server was connected again it is looked at again', async () => {
  const { seen, look } = aServer()
  await look('prompts')
  seen.sinceMs = 2
  await look('prompts')
  expect(seen.screened).toHaveLength(2)
})

test('a server that there is not is not looked at', async () => {
  const { seen, look } = aServer()
  await look('prompts', undefined, 'made-up')
  expect([seen.asked, seen.screened]).toEqual([0, []])
})

test('where nothing is kept back nothing is listed', async () => {
  const { seen, look } = aServer({ isEnforced: false })
  await look('prompts')
  expect(seen.asked).toBe(0)
})

test('what cannot be listed now is not given, and is listed for whoever asks next', async () => {
  const { seen, look } = aServer({ fail: () => new ToolUnavailable('it is down') })
  await expect(look('prompts')).rejects.toThrow('it is down')
  seen.fail = undefined
  await look('prompts')
  expect(seen.screened).toHaveLength(1)
})

test('a server that has no list keeps nothing back', async () => {
  const { seen, look } = aServer({ fail: () => new McpCallError('protocol-error', 'method not found') })
  await look('prompts')
  expect(seen.screened).toEqual([['prompts', []]])
})

test('who leaves waits no longer, and the others do', async () => {
  const { seen, look } = aServer()
  const left = look('prompts', AbortSignal.abort(new Error('left')))
  await expect(left).rejects.toThrow('left')
  await look('prompts')
  expect(seen.screened).toHaveLength(1)
})
