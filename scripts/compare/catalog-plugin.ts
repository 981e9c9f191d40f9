import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { JsonObject } from '../../catalog/json.ts'
import { PLUGIN_ID, TASK } from './task.ts'

/** Verbs, nouns and kinds multiply to this many names. */
export const TOOLS_MAX_COUNT = 5_000

const VERBS = [
  'create',
  'list',
  'get',
  'update',
  'delete',
  'archive',
  'approve',
  'export',
  'import',
  'assign',
  'schedule',
  'cancel',
  'merge',
  'duplicate',
  'share',
  'tag',
  'audit',
  'sync',
  'preview',
  'restore',
]
const NOUNS =
  'order invoice shipment parcel label carrier customer address warehouse pallet return refund payment quote contract supplier product price discount coupon review ticket message campaign segment subscription license device sensor route driver vehicle shift employee timesheet payslip expense budget account ledger report dashboard webhook document template folder comment meeting reminder project'.split(
    ' ',
  )
const KINDS = ['', 'draft', 'archived', 'regional', 'partner']

/** Properties that arguments are made of, three to six for each tool. */
const PROPERTIES: readonly (readonly [string, JsonObject])[] = [
  ['id', { type: 'string', pattern: '^[A-Z]-[0-9]+$', description: 'Identifier, e.g. A-1042.' }],
  ['name', { type: 'string', minLength: 1, maxLength: 120 }],
  ['status', { enum: ['open', 'pending', 'closed'], description: 'State to filter by or to set.' }],
  ['limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 }],
  ['due_on', { type: 'string', format: 'date' }],
  ['notify', { type: 'boolean', description: 'Tell everyone concerned by e-mail.' }],
  ['tags', { type: 'array', items: { type: 'string' }, maxItems: 20 }],
  ['amount_cents', { type: 'integer', minimum: 0, description: 'Amount in cents.' }],
  ['owner', { type: 'object', properties: { email: { type: 'string', format: 'email' } }, required: ['email'] }],
  ['note', { type: 'string', maxLength: 2000 }],
  ['country', { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 code of two letters.' }],
]

interface CatalogTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

/** `count` tools of a company that ships goods, in a fixed order; the task's own stands in the middle. */
export function catalogTools(count: number): readonly CatalogTool[] {
  const others = Array.from({ length: count - 1 }, (_, at) => otherTool(at))
  return others.toSpliced(Math.floor(count / 2), 0, targetTool())
}

/**
 * Writes a plugin with these tools, as an author would, and gives its path. Each call is appended to `callsFile` as a
 * line `{"tool","args"}`: what really ran, whatever anyone reports.
 */
export async function writeCatalogPlugin(folder: string, count: number, callsFile: string): Promise<string> {
  const file = path.join(folder, 'depot.ts')
  await writeFile(
    file,
    `import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { definePlugin, type JsonObject } from 'drawbridge-gateway/plugin'

const tools: readonly { name: string; description: string; parameters: JsonObject }[] = ${JSON.stringify(catalogTools(count))}

export default definePlugin({
  id: ${JSON.stringify(PLUGIN_ID)},
  name: 'Depot',
  register(api) {
    for (const tool of tools) {
      api.registerTool({
        ...tool,
        execute(args: JsonObject) {
          appendFileSync(${JSON.stringify(callsFile)}, JSON.stringify({ tool: tool.name, args }) + '\\n')
          if (tool.name !== ${JSON.stringify(TASK.tool)}) return { done: tool.name }
          const digits = createHash('sha256').update(JSON.stringify([args.order_id, args.service, args.parcels])).digest('hex').slice(0, 12).toUpperCase()
          return { label: 'LBL-' + digits, order_id: args.order_id, pages: 2 }
        },
      })
    }
  },
})
`,
  )
  return file
}

/** The label number that the task's tool gives when it gets the task's arguments. */
export function expectedLabel(): string {
  const { order_id: order, service, parcels } = TASK.args
  const text = JSON.stringify([order, service, parcels])
  return `LBL-${createHash('sha256').update(text).digest('hex').slice(0, 12).toUpperCase()}`
}

function targetTool(): CatalogTool {
  return {
    name: TASK.tool,
    description: 'Prints the shipping label of an order with a carrier service and gives the label number.',
    parameters: {
      type: 'object',
      properties: {
        order_id: { type: 'string', pattern: '^[A-Z]-[0-9]+$', description: 'Order, e.g. A-1042.' },
        service: { enum: ['economy', 'standard', 'express'] },
        parcels: {
          type: 'array',
          minItems: 1,
          maxItems: 20,
          items: {
            type: 'object',
            properties: { weight_grams: { type: 'integer', minimum: 1, maximum: 31_500 } },
            required: ['weight_grams'],
            additionalProperties: false,
          },
        },
      },
      required: ['order_id', 'service', 'parcels'],
      additionalProperties: false,
    },
  }
}

/** Each number below the maximum gives another name, and neighbours differ in noun and verb. */
function otherTool(at: number): CatalogTool {
  const noun = NOUNS[at % NOUNS.length] ?? ''
  const verb = VERBS[(at + Math.floor(at / NOUNS.length)) % VERBS.length] ?? ''
  const kind = KINDS[Math.floor(at / (NOUNS.length * VERBS.length))] ?? ''
  const subject = [kind, noun].filter((part) => part !== '').join(' ')
  const chosen = Array.from({ length: 3 + (at % 4) }, (_, step) => PROPERTIES[(at + step * 2) % PROPERTIES.length])
  const properties = Object.fromEntries(chosen.flatMap((entry) => (entry === undefined ? [] : [entry])))
  return {
    name: `${verb}_${subject.replaceAll(' ', '_')}`,
    description: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} a ${subject}; answers with its current record.`,
    parameters: {
      type: 'object',
      properties,
      required: Object.keys(properties).slice(0, 1),
      additionalProperties: false,
    },
  }
}
