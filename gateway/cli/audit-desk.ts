import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { isStateLockHeld } from '../state/state-lock.ts'
import { stateDirectoryPath } from '../state/state-directory-path.ts'
import type { ChainedReceipt, ChainEnd, ReceiptChain } from '../store/receipt-chain.ts'
import type { CliDeps } from './cli-deps.ts'
import { failureOf, objectsOf, textOf } from './commands/failed-answer.ts'
import { createGatewayClient } from './gateway-client.ts'
import type { StoreFlags } from './stopped-store.ts'
import { withStoppedStore } from './stopped-store.ts'

/** Receipts of all tenants in the order of their chains. */
export interface AuditDesk {
  readonly chains: readonly ReceiptChain[]
  readonly readPage: (tenant: string, afterSeq: number, limit: number) => Promise<readonly ChainedReceipt[]>
}

/** Works on the receipts of the running gateway; where none runs, on its store. */
export async function withAuditDesk<Value>(
  flags: StoreFlags,
  deps: CliDeps,
  work: (desk: AuditDesk) => Promise<Value>,
): Promise<Value> {
  if (await isStateLockHeld(stateDirectoryPath(flags.stateDir, deps.env))) return work(await deskOfGateway(flags, deps))
  return withStoppedStore({ flags, deps, whenAbsent: 'needed' }, async ({ store }) =>
    work({
      chains: await store.listReceiptChains(),
      readPage: (tenant, afterSeq, limit) => store.readReceipts(tenant, afterSeq, limit),
    }),
  )
}

async function deskOfGateway(flags: StoreFlags, deps: CliDeps): Promise<AuditDesk> {
  const client = createGatewayClient(flags.stateDir, deps, 'admin')
  const read = async (path: string): Promise<JsonObject> => {
    const answer = await client.request({ method: 'GET', path })
    if (answer.status !== 200) throw failureOf(answer)
    return answer.body
  }
  return {
    chains: objectsOf((await read('/v1/receipts/chains'))['chains']).map(chainOf),
    readPage: async (tenant, afterSeq, limit) => {
      const query = new URLSearchParams({ tenant, after: String(afterSeq), limit: String(limit) })
      return objectsOf((await read(`/v1/receipts?${query.toString()}`))['receipts']).map(rowOf)
    },
  }
}

function chainOf(chain: JsonObject): ReceiptChain {
  const end = endOf(chain['end'])
  return { tenant: textOf(chain, 'tenant') ?? '', ...(end && { end }) }
}

function endOf(value: JsonValue | undefined): ChainEnd | undefined {
  if (!isJsonObject(value)) return undefined
  const { seq, hash } = value
  return typeof seq === 'number' && typeof hash === 'string' ? { seq, hash } : undefined
}

function rowOf(row: JsonObject): ChainedReceipt {
  const { seq, receipt = null } = row
  const text = (key: string): string => textOf(row, key) ?? ''
  const place = typeof seq === 'number' ? seq : 0
  // The hash is of the canonical JSON, so that how it was written on the way does not matter.
  return { seq: place, id: text('id'), previous: text('previous'), hash: text('hash'), text: JSON.stringify(receipt) }
}
