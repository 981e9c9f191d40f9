import type { Plugin } from '../../sdk.ts'
import { definePlugin } from '../../sdk.ts'
import { createEvents, registerCalendarTools } from './calendar.ts'
import { createCustomers, registerCustomerTools } from './customers.ts'
import { createDocuments, registerDocumentTools } from './documents.ts'
import { createInvoices, registerInvoiceTools } from './invoices.ts'
import { createMessages, registerMessageTools } from './messages.ts'
import { createPeople, registerPeopleTools } from './people.ts'
import { createTickets, registerTicketTools } from './tickets.ts'

/**
 * A small company to try things on: people, calendar, customers, invoices, tickets, documents and messages. Every
 * start begins with the same records; what the tools change lasts until the plugin is unloaded. `now` gives Unix
 * milliseconds.
 */
export function createDemoPlugin(now: () => number): Plugin {
  return definePlugin({
    id: 'demo',
    name: 'Demo company',
    description: 'A small company in memory, to try the gateway on.',
    register(api) {
      const people = createPeople()
      const customers = createCustomers()
      registerPeopleTools(api, people)
      registerCalendarTools(api, { events: createEvents(), people })
      registerCustomerTools(api, { customers, people })
      registerInvoiceTools(api, { invoices: createInvoices(), customers, now })
      registerTicketTools(api, { tickets: createTickets(), customers, people, now })
      registerDocumentTools(api, { documents: createDocuments(), now })
      registerMessageTools(api, { messages: createMessages(), people, now })
    },
  })
}
