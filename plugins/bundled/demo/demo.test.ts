import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { hashJson } from '../../../catalog/json.ts'
import { createSchemaChecker } from '../../../catalog/schema.ts'
import type { ToolDefinition } from '../../../catalog/tool.ts'
import { registerPlugin } from '../../registering/register-plugin.ts'
import { createDemoPlugin } from './demo.ts'

const NOW_MS = Date.UTC(2026, 10, 29, 12)
const schemas = createSchemaChecker()
const toolNames = (await aCompany()).names

describe('definitions', async () => {
  test('there are about twenty tools', () => {
    expect(toolNames.length).toBeGreaterThanOrEqual(20)
  })

  test.each(toolNames)('%s is described, annotated, titled and has an example', async (name) => {
    const tool = (await aCompany()).get(name)
    expect(tool.description.length).toBeGreaterThan(20)
    expect(tool.title).toBeTypeOf('string')
    expect(tool.annotations?.readOnlyHint).toBeTypeOf('boolean')
    expect(tool.examples?.length).toBeGreaterThan(0)
  })

  test.each(toolNames)('%s does what its examples ask, and gives what its output schema says', async (name) => {
    for (const at of (await aCompany()).get(name).examples?.keys() ?? []) {
      const company = await aCompany()
      const tool = company.get(name)
      const args = tool.examples?.[at] ?? {}
      expect(schemas.inspect(tool.inputSchema).kind).toBe('sound')
      expect(schemas.validate(tool.inputSchema, hashJson(tool.inputSchema), args).kind).toBe('valid')
      const output = tool.outputSchema ?? {}
      expect(schemas.inspect(output, 'output').kind).toBe('sound')
      expect(schemas.validateOutput(output, hashJson(output), await company.call(name, args))).toMatchObject({
        kind: 'valid',
      })
    }
  })

  test.each(toolNames)('%s changes something exactly when it does not say that it only reads', async (name) => {
    const company = await aCompany()
    const before = await snapshot(company)
    const { annotations, examples } = company.get(name)
    for (const args of examples ?? []) await company.call(name, args)
    expect(before === (await snapshot(company))).toBe(annotations?.readOnlyHint)
  })

  const writers = (await aCompany()).tools.filter((tool) => tool.annotations?.readOnlyHint === false)
  test.each(writers)('$name can be repeated without a further change exactly when it says so', async (tool) => {
    const company = await aCompany()
    const args = tool.examples?.[0] ?? {}
    await company.call(tool.name, args)
    const once = await snapshot(company)
    const again = await company.call(tool.name, args).then(
      () => 'done',
      () => 'refused',
    )
    const isRepeatable = again === 'done' && once === (await snapshot(company))
    expect(isRepeatable).toBe(tool.annotations?.idempotentHint)
  })
})

describe('behaviour', () => {
  test('a person who is booked cannot be booked again, and can once the meeting is cancelled', async () => {
    const company = await aCompany()
    const wanted = {
      title: 'Clash',
      start: '2026-12-01T10:30:00+01:00',
      end: '2026-12-01T11:30:00+01:00',
      attendee_ids: ['per-6', 'per-2'],
    }
    await expect(company.call('create_event', wanted)).rejects.toThrow(
      'Ines Carvalho (per-2) is booked by evt-1 "Weekly leads", 2026-12-01T09:00:00Z to 2026-12-01T10:00:00Z',
    )
    await company.call('cancel_event', { id: 'evt-1' })
    expect(await company.call('create_event', wanted)).toMatchObject({ id: 'evt-6', start: '2026-12-01T09:30:00Z' })
  })

  test('free slots leave out what anyone has booked and what is too short', async () => {
    const company = await aCompany()
    const args = { day: '2026-12-02', minutes: 60, person_ids: ['per-3', 'per-9'] }
    expect(await company.call('find_free_slots', args)).toEqual({
      slots: [
        { start: '2026-12-02T09:15:00Z', end: '2026-12-02T11:00:00Z' },
        { start: '2026-12-02T15:00:00Z', end: '2026-12-02T17:00:00Z' },
      ],
    })
  })

  test('payments add up until an invoice is paid, and no further', async () => {
    const company = await aCompany()
    await company.call('record_payment', { invoice_id: 'inv-1003', amount_cents: 50_000 })
    await expect(company.call('record_payment', { invoice_id: 'inv-1003', amount_cents: 10_001 })).rejects.toThrow(
      'inv-1003 has 10000 cents left to pay, less than 10001',
    )
    expect(await company.call('record_payment', { invoice_id: 'inv-1003', amount_cents: 10_000 })).toMatchObject({
      status: 'paid',
      paid_cents: 90_000,
    })
    await expect(company.call('void_invoice', { invoice_id: 'inv-1003', reason: 'late' })).rejects.toThrow(
      'inv-1003 is paid, not open',
    )
  })

  test('what was paid can be paid back, no more than that', async () => {
    const company = await aCompany()
    const refund = { invoice_id: 'inv-1003', amount_cents: 30_001, reason: 'returned' }
    await expect(company.call('refund_payment', refund)).rejects.toThrow(
      'inv-1003 has 30000 cents paid on it, less than 30001',
    )
    expect(await company.call('refund_payment', { ...refund, amount_cents: 30_000 })).toMatchObject({
      status: 'open',
      paid_cents: 0,
    })
  })

  test('overdue invoices are the open ones past their day, with what is still to come in', async () => {
    const company = await aCompany()
    expect(await company.call('list_invoices', { status: 'overdue' })).toMatchObject({
      invoices: [{ id: 'inv-1002' }, { id: 'inv-1003' }],
      outstanding_cents: { NOK: 1_355_000, EUR: 60_000 },
    })
  })

  test('seeded totals are those of their lines', async () => {
    const listed = await (await aCompany()).call('list_invoices', { limit: 50 })
    const sums = readRows(listed, 'invoices').map((invoice) => ({
      id: invoice['id'],
      total_cents: readRows(invoice, 'lines').reduce(
        (total, line) => total + Number(line['quantity']) * Number(line['unit_price_cents']),
        0,
      ),
    }))
    expect(listed).toMatchObject({ invoices: sums })
    expect(sums).toHaveLength(5)
  })

  test.each([
    ['get_person', { id: 'per-99' }, 'there is no person "per-99"; search_people finds the ids that exist'],
    ['update_ticket', { id: 'tic-9', status: 'open' }, 'there is no ticket "tic-9"'],
    ['update_ticket', { id: 'tic-1', assignee_id: 'per-99' }, 'there is no person "per-99"'],
    ['create_invoice', { customer_id: 'cus-9', lines: [] }, 'there is no customer "cus-9"'],
    ['read_document', { id: 'doc-99' }, 'there is no document "doc-99"'],
    ['list_events', { from: '2026-12-02', to: '2026-12-01' }, '"to" (2026-12-01) is before "from" (2026-12-02)'],
  ])('%s says what is wrong with %j', async (name, args, message) => {
    await expect((await aCompany()).call(name, args)).rejects.toThrow(message)
  })

  test('two companies share nothing', async () => {
    const [one, other] = [await aCompany(), await aCompany()]
    await one.call('delete_document', { id: 'doc-1' })
    expect(await other.call('read_document', { id: 'doc-1' })).toMatchObject({ id: 'doc-1' })
  })
})

interface Company {
  readonly tools: readonly ToolDefinition[]
  readonly names: readonly string[]
  get(name: string): ToolDefinition
  call(name: string, args: JsonObject): Promise<JsonValue>
}

async function aCompany(): Promise<Company> {
  const log = { debug: drop, info: drop, warn: drop, error: drop }
  const result = await registerPlugin(
    createDemoPlugin(() => NOW_MS),
    { config: {}, log },
  )
  if (result.kind === 'failed') throw new Error(result.reason)
  const { tools, faults } = result.registration
  expect(faults).toEqual([])
  const get = (name: string): ToolDefinition => {
    const tool = tools.find((one) => one.name === name)
    if (tool === undefined) throw new Error(`no tool "${name}"`)
    return tool
  }
  const caller = { tenant: 'default', agent: 'default' }
  return {
    tools,
    names: tools.map((tool) => tool.name),
    get,
    call: async (name, args) => {
      const done = await get(name).execute?.(args, { callId: 'c', caller, signal: new AbortController().signal })
      return done?.structured ?? null
    },
  }
}

function drop(): void {}

/** All that can be seen of a company. */
async function snapshot(company: Company): Promise<string> {
  const reads: readonly (readonly [string, JsonObject])[] = [
    ['search_people', { limit: 50 }],
    ['list_events', { from: '2026-01-01', to: '2027-12-31' }],
    ['search_customers', { limit: 50 }],
    ['list_invoices', { limit: 50 }],
    ['search_tickets', { limit: 50 }],
    ['search_documents', { query: '', limit: 50 }],
    ...['general', 'engineering', 'finance', 'support'].map((channel): readonly [string, JsonObject] => [
      'list_messages',
      { channel, limit: 50 },
    ]),
  ]
  const answers: JsonValue[] = []
  for (const [name, args] of reads) answers.push(await company.call(name, args))
  return JSON.stringify(answers)
}

function readRows(value: JsonValue, key: string): readonly JsonObject[] {
  const rows = typeof value === 'object' && value !== null && key in value ? Object.entries(value) : []
  const found: unknown = rows.find(([name]) => name === key)?.[1]
  return Array.isArray(found) ? found : []
}
