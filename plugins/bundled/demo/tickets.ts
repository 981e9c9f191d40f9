import type { PluginApi, Static } from '../../sdk.ts'
import { Type } from '../../sdk.ts'
import type { Collection } from './collection.ts'
import { createCollection, matchesWords } from './collection.ts'
import type { Customer } from './customers.ts'
import { CustomerId } from './customers.ts'
import type { Person } from './people.ts'
import { PersonId } from './people.ts'
import { ADDS, CHANGES, Limit, READS, Timestamp, firstOf } from './schema.ts'

const Priority = Type.Enum(['low', 'normal', 'high', 'urgent'])
const Status = Type.Enum(['open', 'waiting', 'closed'])
const Label = Type.String({ pattern: '^[a-z][a-z0-9-]{0,29}$' })
const Labels = Type.Array(Label, { maxItems: 10, uniqueItems: true })
const TicketId = Type.String({ pattern: '^tic-[0-9]+$', description: 'Id of a ticket, e.g. tic-2.' })

const Ticket = Type.Object({
  id: TicketId,
  subject: Type.String(),
  body: Type.String(),
  customer_id: CustomerId,
  status: Status,
  priority: Priority,
  labels: Labels,
  assignee_id: Type.Optional(PersonId),
  opened_at: Timestamp,
})

export type Ticket = Static<typeof Ticket>

interface Desk {
  readonly tickets: Collection<Ticket>
  readonly customers: Collection<Customer>
  readonly people: Collection<Person>
  /** Unix milliseconds. */
  readonly now: () => number
}

export function createTickets(): Collection<Ticket> {
  return createCollection({ noun: 'ticket', finder: 'search_tickets', idPrefix: 'tic-', seed: TICKETS })
}

export function registerTicketTools(api: PluginApi, desk: Desk): void {
  registerSearchTickets(api, desk)
  registerCreateTicket(api, desk)
  registerUpdateTicket(api, desk)
}

function registerSearchTickets(api: PluginApi, { tickets }: Desk): void {
  api.registerTool({
    name: 'search_tickets',
    title: 'Search support tickets',
    description: 'Finds support tickets (issues, cases) by words, status, priority, label, customer or assignee.',
    parameters: Type.Object(
      {
        query: Type.Optional(Type.String({ maxLength: 200 })),
        status: Type.Optional(Status),
        priority: Type.Optional(Priority),
        label: Type.Optional(Label),
        customer_id: Type.Optional(CustomerId),
        assignee_id: Type.Optional(PersonId),
        limit: Limit,
      },
      { additionalProperties: false },
    ),
    outputSchema: Type.Object({ tickets: Type.Array(Ticket), total: Type.Integer({ minimum: 0 }) }),
    annotations: READS,
    examples: [{ status: 'open', priority: 'urgent' }, { query: 'import fails' }],
    execute: ({ query = '', label, limit, ...fields }) => {
      const found = tickets
        .all()
        .filter((ticket) => fields.status === undefined || ticket.status === fields.status)
        .filter((ticket) => fields.priority === undefined || ticket.priority === fields.priority)
        .filter((ticket) => fields.customer_id === undefined || ticket.customer_id === fields.customer_id)
        .filter((ticket) => fields.assignee_id === undefined || ticket.assignee_id === fields.assignee_id)
        .filter((ticket) => label === undefined || ticket.labels.includes(label))
        .filter((ticket) => matchesWords(query, [ticket.subject, ticket.body, ...ticket.labels]))
      return { tickets: firstOf(found, limit), total: found.length }
    },
  })
}

function registerCreateTicket(api: PluginApi, { tickets, customers, now }: Desk): void {
  api.registerTool({
    name: 'create_ticket',
    title: 'Create support ticket',
    description: 'Opens a support ticket (issue, case) for a customer.',
    parameters: Type.Object(
      {
        customer_id: CustomerId,
        subject: Type.String({ minLength: 3, maxLength: 140 }),
        body: Type.Optional(Type.String({ maxLength: 5_000 })),
        priority: Type.Optional(Type.Enum(['low', 'normal', 'high', 'urgent'], { default: 'normal' })),
        labels: Type.Optional(Labels),
      },
      { additionalProperties: false },
    ),
    outputSchema: Ticket,
    annotations: ADDS,
    examples: [{ customer_id: 'cus-5', subject: 'Label printer prints blanks', priority: 'high', labels: ['printer'] }],
    execute: ({ customer_id, subject, body = '', priority = 'normal', labels = [] }) => {
      customers.get(customer_id)
      const opened_at = new Date(now()).toISOString()
      return tickets.add((id) => ({ id, subject, body, customer_id, status: 'open', priority, labels, opened_at }))
    },
  })
}

function registerUpdateTicket(api: PluginApi, { tickets, people }: Desk): void {
  api.registerTool({
    name: 'update_ticket',
    title: 'Update support ticket',
    description: 'Assigns a ticket, closes or reopens it, or changes its priority or labels; the rest stays as it is.',
    parameters: Type.Object(
      {
        id: TicketId,
        status: Type.Optional(Status),
        priority: Type.Optional(Priority),
        labels: Type.Optional(Labels),
        assignee_id: Type.Optional(PersonId),
      },
      { additionalProperties: false, minProperties: 2 },
    ),
    outputSchema: Ticket,
    annotations: CHANGES,
    examples: [{ id: 'tic-2', assignee_id: 'per-10', priority: 'high' }],
    execute: ({ id, ...changes }) => {
      if (changes.assignee_id !== undefined) people.get(changes.assignee_id)
      return tickets.replace({ ...tickets.get(id), ...changes })
    },
  })
}

const TICKETS: readonly Ticket[] = [
  {
    id: 'tic-1',
    subject: 'Import of berth list fails',
    body: 'The importer stops at row 212 with "unexpected unit". The file worked last month.',
    customer_id: 'cus-1',
    status: 'open',
    priority: 'urgent',
    labels: ['importer'],
    assignee_id: 'per-10',
    opened_at: '2026-11-26T07:42:00Z',
  },
  {
    id: 'tic-2',
    subject: 'Invoice shows the old address',
    body: 'We moved in September; inv-1003 still names the warehouse.',
    customer_id: 'cus-2',
    status: 'open',
    priority: 'normal',
    labels: ['billing'],
    opened_at: '2026-11-27T10:15:00Z',
  },
  {
    id: 'tic-3',
    subject: 'Trial extension',
    body: 'May we have two more weeks before we decide?',
    customer_id: 'cus-3',
    status: 'waiting',
    priority: 'low',
    labels: ['sales'],
    assignee_id: 'per-5',
    opened_at: '2026-11-20T15:03:00Z',
  },
  {
    id: 'tic-4',
    subject: 'Tracker offline in hall 3',
    body: 'Six pallet trackers have not reported since Tuesday night.',
    customer_id: 'cus-4',
    status: 'open',
    priority: 'high',
    labels: ['hardware', 'tracker'],
    assignee_id: 'per-5',
    opened_at: '2026-11-25T06:20:00Z',
  },
  {
    id: 'tic-5',
    subject: 'Export to spreadsheet',
    body: 'Solved by the new export button.',
    customer_id: 'cus-5',
    status: 'closed',
    priority: 'low',
    labels: ['export'],
    assignee_id: 'per-10',
    opened_at: '2026-10-30T12:00:00Z',
  },
]
