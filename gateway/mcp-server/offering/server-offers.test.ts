import { expect, test } from 'vitest'
import type { JsonObject } from '../../../catalog/json.ts'
import { createGate } from '../passthrough/judging/gate.ts'
import { ALL_OFFERS, NO_LOOK } from '../testing/all-offers.ts'
import { aView } from '../../../catalog/testing/a-view.ts'
import type { ListedKind, ServerOffersDeps } from './server-offers.ts'
import { createServerOffers } from './server-offers.ts'

const CALLER = { tenant: 't', agent: 'default' }
const PROMPTS: ListedKind = {
  method: 'prompts/list',
  key: 'prompts',
  kind: 'prompts',
  nameOf: ({ name }) => (typeof name === 'string' ? name : undefined),
  isOpen: (gate, name) => gate.prompt(name),
  rename: (item, { server, name }) => ({ ...item, name: `${server}__${name}` }),
}

function someOffers(prompts: readonly JsonObject[], held: readonly string[]) {
  const asked: string[] = []
  const mcp: ServerOffersDeps['mcp'] = {
    status: () => [
      {
        server: 'files',
        address: 'files-server',
        state: { kind: 'ready', sinceMs: 0 },
        toolCount: 0,
        hiddenToolCount: 0,
        problems: [],
        problemCount: 0,
      },
    ],
    async request(_server, { method }) {
      asked.push(method)
      return method === 'prompts/list' ? { prompts } : { messages: [] }
    },
  }
  const offers = createServerOffers({
    mcp,
    gateFor: (server, caller) =>
      createGate(server, caller, {
        viewFor: () => aView([]),
        decide: () => ({ kind: 'allow' }),
        offers: {
          ...ALL_OFFERS,
          screened: async (_server, { kind, items }) =>
            items.filter(({ name = null }) => !held.includes(`${kind}/${typeof name === 'string' ? name : ''}`)),
          isWithheld: (_server, name) => held.includes(name),
        },
        firstLook: NO_LOOK,
      }),
    warn: () => {},
  })
  return { offers, asked }
}

test('a prompt that screening keeps back is neither listed nor asked for', async () => {
  const { offers, asked } = someOffers([{ name: 'greet' }, { name: 'sum' }], ['prompts/greet'])
  const signal = new AbortController().signal
  expect(await offers.list(PROMPTS, CALLER, signal)).toEqual([{ name: 'files__sum' }])
  const get = (name: string) =>
    offers.ask(
      {
        of: { server: 'files', name },
        group: 'prompts',
        method: 'prompts/get',
        params: { name },
        isOpen: (gate) => gate.mayGet(name),
      },
      CALLER,
      signal,
    )
  expect(await get('greet')).toBeUndefined()
  expect(asked).toEqual(['prompts/list'])
  expect(await get('sum')).toEqual({ messages: [] })
})
