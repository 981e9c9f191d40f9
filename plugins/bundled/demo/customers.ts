import type { PluginApi, Static } from '../../sdk.ts'
import { Type } from '../../sdk.ts'
import type { Collection } from './collection.ts'
import { createCollection, matchesWords } from './collection.ts'
import { PersonId } from './people.ts'
import type { Person } from './people.ts'
import { CHANGES, Limit, READS, firstOf } from './schema.ts'

const Plan = Type.Enum(['trial', 'standard', 'premium'])
const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 code of two letters: NO.' })

export const CustomerId = Type.String({ pattern: '^cus-[0-9]+$', description: 'Id of a customer, e.g. cus-2.' })

const Address = Type.Object({
  street: Type.String({ minLength: 1, maxLength: 120 }),
  city: Type.String({ minLength: 1, maxLength: 80 }),
  postcode: Type.String({ minLength: 1, maxLength: 16 }),
  country: Country,
})

const Customer = Type.Object({
  id: CustomerId,
  name: Type.String(),
  email: Type.String({ format: 'email' }),
  plan: Plan,
  address: Address,
  account_manager_id: PersonId,
})

export type Customer = Static<typeof Customer>

interface Customers {
  readonly customers: Collection<Customer>
  readonly people: Collection<Person>
}

export function createCustomers(): Collection<Customer> {
  return createCollection({ noun: 'customer', finder: 'search_customers', idPrefix: 'cus-', seed: CUSTOMERS })
}

export function registerCustomerTools(api: PluginApi, { customers, people }: Customers): void {
  api.registerTool({
    name: 'search_customers',
    title: 'Search customers',
    description: 'Finds customers (clients, accounts) by name, e-mail or city, plan and country, and gives their ids.',
    parameters: Type.Object(
      {
        query: Type.Optional(Type.String({ maxLength: 200 })),
        plan: Type.Optional(Plan),
        country: Type.Optional(Country),
        limit: Limit,
      },
      { additionalProperties: false },
    ),
    outputSchema: Type.Object({ customers: Type.Array(Customer), total: Type.Integer({ minimum: 0 }) }),
    annotations: READS,
    examples: [{ query: 'halvorsen' }, { plan: 'premium', country: 'NO' }],
    execute: ({ query = '', plan, country, limit }) => {
      const found = customers
        .all()
        .filter((customer) => plan === undefined || customer.plan === plan)
        .filter((customer) => country === undefined || customer.address.country === country)
        .filter(({ name, email, address }) => matchesWords(query, [name, email, address.city]))
      return { customers: firstOf(found, limit), total: found.length }
    },
  })
  registerUpdateCustomer(api, { customers, people })
}

function registerUpdateCustomer(api: PluginApi, { customers, people }: Customers): void {
  api.registerTool({
    name: 'update_customer',
    title: 'Update customer',
    description: "Changes a customer's contact address, plan or account manager; what is not given stays as it is.",
    parameters: Type.Object(
      {
        id: CustomerId,
        changes: Type.Object(
          {
            email: Type.Optional(Type.String({ format: 'email' })),
            plan: Type.Optional(Plan),
            address: Type.Optional(Type.Partial(Address, { additionalProperties: false, minProperties: 1 })),
            account_manager_id: Type.Optional(PersonId),
          },
          { additionalProperties: false, minProperties: 1 },
        ),
      },
      { additionalProperties: false },
    ),
    outputSchema: Customer,
    annotations: CHANGES,
    examples: [{ id: 'cus-3', changes: { plan: 'premium', address: { city: 'Porto' } } }],
    execute: ({ id, changes }) => {
      const customer = customers.get(id)
      const { address, ...rest } = changes
      if (rest.account_manager_id !== undefined) people.get(rest.account_manager_id)
      return customers.replace({ ...customer, ...rest, address: { ...customer.address, ...address } })
    },
  })
}

const CUSTOMERS: readonly Customer[] = [
  {
    id: 'cus-1',
    name: 'Halvorsen Marine AS',
    email: 'innkjop@halvorsen-marine.example',
    plan: 'premium',
    address: { street: 'Strandgaten 14', city: 'Bergen', postcode: '5013', country: 'NO' },
    account_manager_id: 'per-9',
  },
  {
    id: 'cus-2',
    name: 'Quinta do Vale',
    email: 'compras@quintadovale.example',
    plan: 'standard',
    address: { street: 'Rua das Vinhas 3', city: 'Évora', postcode: '7000-102', country: 'PT' },
    account_manager_id: 'per-9',
  },
  {
    id: 'cus-3',
    name: 'Oliveira & Filhos',
    email: 'geral@oliveirafilhos.example',
    plan: 'trial',
    address: { street: 'Avenida Central 88', city: 'Braga', postcode: '4710-229', country: 'PT' },
    account_manager_id: 'per-4',
  },
  {
    id: 'cus-4',
    name: 'Van Dijk Logistics BV',
    email: 'accounts@vandijk-logistics.example',
    plan: 'premium',
    address: { street: 'Waalhaven 201', city: 'Rotterdam', postcode: '3088', country: 'NL' },
    account_manager_id: 'per-9',
  },
  {
    id: 'cus-5',
    name: 'Nordlys Bakeri',
    email: 'post@nordlysbakeri.example',
    plan: 'standard',
    address: { street: 'Storgata 7', city: 'Tromsø', postcode: '9008', country: 'NO' },
    account_manager_id: 'per-4',
  },
]
