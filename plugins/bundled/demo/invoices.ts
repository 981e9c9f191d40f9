import type { PluginApi } from '../../sdk.ts'
import { Type } from '../../sdk.ts'
import type { Collection } from './collection.ts'
import { createCollection } from './collection.ts'
import type { Customer } from './customers.ts'
import { CustomerId } from './customers.ts'
import { INVOICES } from './invoice-seed.ts'
import { Cents, Currency, Invoice, InvoiceId, Line } from './invoice.ts'
import { ADDS, Limit, READS, REMOVES, firstOf } from './schema.ts'

const DAY_MS = 24 * 60 * 60_000
/** Days until an invoice is due, where nothing else was agreed. */
const DUE_DAYS_DEFAULT = 30

interface Books {
  readonly invoices: Collection<Invoice>
  readonly customers: Collection<Customer>
  /** Unix milliseconds. */
  readonly now: () => number
}

export function createInvoices(): Collection<Invoice> {
  return createCollection({ noun: 'invoice', finder: 'list_invoices', idPrefix: 'inv-', seed: INVOICES })
}

export function registerInvoiceTools(api: PluginApi, books: Books): void {
  registerListInvoices(api, books)
  registerCreateInvoice(api, books)
  registerRecordPayment(api, books)
  registerVoidInvoice(api, books)
  registerRefundPayment(api, books)
}

function registerListInvoices(api: PluginApi, { invoices, customers, now }: Books): void {
  api.registerTool({
    name: 'list_invoices',
    title: 'List invoices',
    description: 'Invoices (bills) of one customer or all, by status; overdue ones are open ones past their due day.',
    parameters: Type.Object(
      {
        customer_id: Type.Optional(CustomerId),
        status: Type.Optional(Type.Enum(['open', 'overdue', 'paid', 'void'])),
        limit: Limit,
      },
      { additionalProperties: false },
    ),
    outputSchema: Type.Object({
      invoices: Type.Array(Invoice),
      total: Type.Integer({ minimum: 0 }),
      outstanding_cents: Type.Object(
        { EUR: Type.Optional(Cents), NOK: Type.Optional(Cents) },
        { description: 'What is still to be paid, by currency.' },
      ),
    }),
    annotations: READS,
    examples: [{ status: 'overdue' }, { customer_id: 'cus-1' }],
    execute: ({ customer_id: customerId, status, limit }) => {
      if (customerId !== undefined) customers.get(customerId)
      const today = dayOf(now())
      const found = invoices
        .all()
        .filter((invoice) => customerId === undefined || invoice.customer_id === customerId)
        .filter((invoice) => status === undefined || hasStatus(invoice, status, today))
      return { invoices: firstOf(found, limit), total: found.length, outstanding_cents: sumOutstanding(found) }
    },
  })
}

function registerCreateInvoice(api: PluginApi, { invoices, customers, now }: Books): void {
  api.registerTool({
    name: 'create_invoice',
    title: 'Create invoice',
    description: 'Bills a customer for one or more lines. The total is worked out from the lines.',
    parameters: Type.Object(
      {
        customer_id: CustomerId,
        currency: Type.Optional(Currency),
        lines: Type.Array(Line, { minItems: 1, maxItems: 100 }),
        due_in_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 365, default: DUE_DAYS_DEFAULT })),
      },
      { additionalProperties: false },
    ),
    outputSchema: Invoice,
    annotations: ADDS,
    examples: [
      { customer_id: 'cus-2', lines: [{ description: 'Cork pallets', quantity: 12, unit_price_cents: 4500 }] },
    ],
    execute: ({ customer_id, currency, lines, due_in_days: dueDays = DUE_DAYS_DEFAULT }) => {
      const customer = customers.get(customer_id)
      const nowMs = now()
      return invoices.add((id) => ({
        id,
        customer_id,
        currency: currency ?? (customer.address.country === 'NO' ? 'NOK' : 'EUR'),
        lines,
        total_cents: lines.reduce((sum, line) => sum + line.quantity * line.unit_price_cents, 0),
        paid_cents: 0,
        status: 'open',
        issued_on: dayOf(nowMs),
        due_on: dayOf(nowMs + dueDays * DAY_MS),
      }))
    },
  })
}

function registerRecordPayment(api: PluginApi, { invoices }: Books): void {
  api.registerTool({
    name: 'record_payment',
    title: 'Record payment',
    description: 'Books money that came in for an open invoice; it becomes paid once nothing is left to pay.',
    parameters: Type.Object(
      { invoice_id: InvoiceId, amount_cents: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }) },
      { additionalProperties: false },
    ),
    outputSchema: Invoice,
    annotations: ADDS,
    examples: [{ invoice_id: 'inv-1002', amount_cents: 50000 }],
    execute: ({ invoice_id, amount_cents: amount }) => {
      const invoice = getOpen(invoices, invoice_id)
      const left = invoice.total_cents - invoice.paid_cents
      if (amount > left) throw new Error(`${invoice.id} has ${left} cents left to pay, less than ${amount}`)
      const status = amount === left ? 'paid' : 'open'
      return invoices.replace({ ...invoice, paid_cents: invoice.paid_cents + amount, status })
    },
  })
}

function registerVoidInvoice(api: PluginApi, { invoices }: Books): void {
  api.registerTool({
    name: 'void_invoice',
    title: 'Void invoice',
    description: 'Cancels an open invoice on which nothing has been paid. It cannot be opened again.',
    parameters: Type.Object(
      { invoice_id: InvoiceId, reason: Type.String({ minLength: 3, maxLength: 300 }) },
      { additionalProperties: false },
    ),
    outputSchema: Invoice,
    annotations: REMOVES,
    examples: [{ invoice_id: 'inv-1004', reason: 'billed twice' }],
    execute: ({ invoice_id, reason }) => {
      const invoice = getOpen(invoices, invoice_id)
      if (invoice.paid_cents > 0) {
        throw new Error(`${invoice.id} has ${invoice.paid_cents} cents paid on it and cannot be voided`)
      }
      return invoices.replace({ ...invoice, status: 'void', void_reason: reason })
    },
  })
}

function registerRefundPayment(api: PluginApi, { invoices }: Books): void {
  api.registerTool({
    name: 'refund_payment',
    title: 'Refund payment',
    description: 'Pays money back that a customer has paid on an invoice. It leaves our account at once.',
    parameters: Type.Object(
      {
        invoice_id: InvoiceId,
        amount_cents: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
        reason: Type.String({ minLength: 3, maxLength: 300 }),
      },
      { additionalProperties: false },
    ),
    outputSchema: Invoice,
    annotations: REMOVES,
    examples: [{ invoice_id: 'inv-1001', amount_cents: 20_000, reason: 'one line was damaged' }],
    execute: ({ invoice_id, amount_cents: amount }) => {
      const invoice = invoices.get(invoice_id)
      if (amount > invoice.paid_cents) {
        throw new Error(`${invoice.id} has ${invoice.paid_cents} cents paid on it, less than ${amount}`)
      }
      return invoices.replace({ ...invoice, paid_cents: invoice.paid_cents - amount, status: 'open' })
    },
  })
}

function getOpen(invoices: Collection<Invoice>, id: string): Invoice {
  const invoice = invoices.get(id)
  if (invoice.status !== 'open') throw new Error(`${id} is ${invoice.status}, not open`)
  return invoice
}

function hasStatus(invoice: Invoice, status: Invoice['status'] | 'overdue', today: string): boolean {
  return status === 'overdue' ? invoice.status === 'open' && invoice.due_on < today : invoice.status === status
}

function sumOutstanding(invoices: readonly Invoice[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { status, currency, total_cents: total, paid_cents: paid } of invoices) {
    if (status === 'open') sums[currency] = (sums[currency] ?? 0) + total - paid
  }
  return sums
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
