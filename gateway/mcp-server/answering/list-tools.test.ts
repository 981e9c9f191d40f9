import { expect, test } from 'vitest'
import { createDirectPresentation } from '../../../bridge/presentation/direct.ts'
import { aTool } from '../../../catalog/testing/a-tool.ts'
import type { Tool } from '../../../catalog/tool.ts'
import type { View } from '../../../catalog/view.ts'
import type { Presenter } from '../../presenting/presenter.ts'
import { LIST_PAGE_TOOLS, LIST_TTL_MS } from '../limits.ts'
import { aView } from '../../../catalog/testing/a-view.ts'
import { listTools } from './list-tools.ts'

const CALLER = { tenant: 'default', agent: 'default' }

function presenting(viewOf: () => View): Presenter {
  return {
    present() {
      const view = viewOf()
      const createSurface = (): never => {
        throw new Error('nothing is called here')
      }
      const presentation = createDirectPresentation({ view, createSurface, callText: () => '' })
      return { presentation, view, figures: { catalogSize: 0, sources: {}, directTools: 0, directBytes: 0 } }
    },
  }
}

const many = (count: number, prefix = 'tool'): readonly Tool[] =>
  Array.from({ length: count }, (_, at) => aTool({ name: `${prefix}_${String(at).padStart(5, '0')}` }))
const list = (tools: readonly Tool[], cursor?: string) =>
  listTools({ cursor, isStateless: false }, CALLER, { presenter: presenting(() => aView(tools)) })

test('every tool stands on one page alone, in the order of the ids', async () => {
  const tools = many(LIST_PAGE_TOOLS * 2 + 3)
  const names: string[] = []
  let cursor: string | undefined
  let pages = 0
  do {
    const page = await list(tools, cursor)
    names.push(...page.tools.map((tool) => tool.name))
    cursor = page.nextCursor
    pages += 1
  } while (cursor !== undefined)
  expect(pages).toBe(3)
  expect(names).toEqual(tools.map((tool) => tool.safeName))
})

test('a page that is just full is the last one', async () => {
  expect(await list(many(LIST_PAGE_TOOLS))).not.toHaveProperty('nextCursor')
})

test('tools that come and go between two pages hide and double no other', async () => {
  const tools = many(LIST_PAGE_TOOLS + 2)
  const first = await list(tools)
  const changed = [...many(5, 'added_before'), ...tools.slice(1, LIST_PAGE_TOOLS - 1), ...tools.slice(LIST_PAGE_TOOLS)]
  const second = await list(changed, first.nextCursor)
  expect(second.tools.map((tool) => tool.name)).toEqual(tools.slice(LIST_PAGE_TOOLS).map((tool) => tool.safeName))
})

test.each(['', 'x', '%%%', 'A'.repeat(5_000), Buffer.from('').toString('base64url')])(
  'the cursor "%s" is refused as no cursor of this list',
  async (cursor) => {
    await expect(list(many(3), cursor)).rejects.toMatchObject({ code: -32_602 })
  },
)

test('a tool is shown as its source describes it', async () => {
  const outputSchema = { type: 'object', properties: { n: { type: 'integer' } } }
  const tool = aTool({ title: 'Count', inputSchema: {}, outputSchema, annotations: { idempotentHint: true } })
  expect((await list([tool])).tools).toEqual([
    {
      name: tool.safeName,
      title: 'Count',
      description: tool.description,
      inputSchema: { type: 'object', properties: {} },
      outputSchema,
      annotations: { idempotentHint: true },
    },
  ])
})

test('a schema that providers refuse is shown as they take it, and what it says besides stands in the description', async () => {
  const [city, place] = [{ required: ['city'] }, { required: ['place'] }]
  const properties = { city: { type: 'string' }, place: { type: 'array' } }
  const { tools } = await list([aTool({ inputSchema: { type: 'object', properties, anyOf: [city, place] } })])
  expect(tools[0]?.inputSchema).toEqual({
    type: 'object',
    properties: { city: { type: 'string' }, place: { type: 'array', items: {} } },
  })
  expect(tools[0]?.description).toMatch(/ Call: \(args: /)
})

test('a list may be kept for a while, but not while servers are still connecting', async () => {
  const ttlOf = async (view: View): Promise<unknown> => {
    const deps = { presenter: presenting(() => view) }
    const { ttlMs, cacheScope } = await listTools({ cursor: undefined, isStateless: true }, CALLER, deps)
    return [ttlMs, cacheScope]
  }
  const connecting = { source: 'mcp', owner: 'slow', state: { kind: 'connecting', sinceMs: 1 }, toolCount: 0 } as const
  const down = { ...connecting, state: { kind: 'down', sinceMs: 1, reason: 'refused' } } as const
  expect(await ttlOf(aView([]))).toEqual([LIST_TTL_MS, 'private'])
  expect(await ttlOf({ ...aView([]), pendingSources: () => [down] })).toEqual([LIST_TTL_MS, 'private'])
  expect(await ttlOf({ ...aView([]), pendingSources: () => [down, connecting] })).toEqual([0, 'private'])
})
