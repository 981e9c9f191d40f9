import type { Static } from '../../sdk.ts'
import { Type } from '../../sdk.ts'
import { CustomerId } from './customers.ts'
import { Day } from './schema.ts'

export const InvoiceId = Type.String({ pattern: '^inv-[0-9]+$', description: 'Id of an invoice, e.g. inv-1002.' })
export const Cents = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: 'Amount in cents of the currency.',
})
export const Currency = Type.Enum(['EUR', 'NOK'])

export const Line = Type.Object(
  {
    description: Type.String({ minLength: 1, maxLength: 200 }),
    quantity: Type.Integer({ minimum: 1, maximum: 10_000 }),
    unit_price_cents: Cents,
  },
  { additionalProperties: false },
)

export const Invoice = Type.Object({
  id: InvoiceId,
  customer_id: CustomerId,
  currency: Currency,
  lines: Type.Array(Line),
  total_cents: Cents,
  paid_cents: Cents,
  status: Type.Enum(['open', 'paid', 'void']),
  issued_on: Day,
  due_on: Day,
  void_reason: Type.Optional(Type.String()),
})

export type Invoice = Static<typeof Invoice>
