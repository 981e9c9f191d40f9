import type { JsonObject } from '../../../../catalog/json.ts'
import type { ChainedReceipt, ChainEnd, ReceiptChain } from '../../../store/receipt-chain.ts'
import { isDecision, readReceipt } from '../../../store/receipt-chain.ts'
import type { VerifiedChain } from '../../../store/verify-chain.ts'
import { verifyChain } from '../../../store/verify-chain.ts'
import type { AuditDesk } from '../../audit-desk.ts'
import { withAuditDesk } from '../../audit-desk.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'
import { EXPORT_PAGE } from '../../limits.ts'
import type { Output } from '../../output.ts'
import { createOutput, harmless, inColumns } from '../../output.ts'

export interface AuditFlags {
  readonly stateDir?: string
  readonly config?: string
  readonly json?: true
  readonly tenant?: string
}

export interface VerifyFlags extends AuditFlags {
  readonly anchor?: ChainEnd
}

export interface TailFlags extends AuditFlags {
  readonly last?: number
}

interface Asked<Flags> {
  readonly flags: Flags
  readonly deps: CliDeps
}

const DEFAULT_LAST = 20

export async function verify({ flags, deps }: Asked<VerifyFlags>): Promise<void> {
  const { tenant, anchor } = flags
  if (anchor !== undefined && tenant === undefined) throw new CliFailure(2, '--anchor is of one chain; add --tenant')
  const output = createOutput(deps)
  const verified = await withAuditDesk(flags, deps, async (desk) => {
    if (tenant === undefined) return verifyAll(desk.chains, desk, anchor)
    // A chain that is gone whole is still held against its anchor; without one, a slip in the name would pass as intact.
    const isKnown = desk.chains.some((chain) => chain.tenant === tenant)
    const chain = anchor === undefined || isKnown ? chainOf(flags, desk) : { tenant }
    return verifyAll([chain], desk, anchor)
  })
  const faulty = verified.filter(({ faults }) => faults.length > 0)
  if (flags.json) output.json({ intact: faulty.length === 0, chains: verified.map(plain) })
  else for (const chain of verified) printChain(chain, output)
  if (verified.length === 0 && !flags.json) output.line('there are no receipts yet')
  if (faulty.length === 0) return
  const names = faulty.map((chain) => `"${chain.tenant}"`).join(', ')
  throw new CliFailure(1, `receipts of ${names} were removed, changed or moved after they were written`)
}

export async function tail({ flags, deps }: Asked<TailFlags>): Promise<void> {
  const output = createOutput(deps)
  const rows = await withAuditDesk(flags, deps, async (desk) => {
    const { tenant, end } = chainOf(flags, desk)
    const after = Math.max(0, (end?.seq ?? 0) - (flags.last ?? DEFAULT_LAST))
    const found: ChainedReceipt[] = []
    for await (const row of readFrom(after, { tenant, desk })) found.push(row)
    return found
  })
  if (flags.json) return output.json({ receipts: rows.map(lineOf) })
  for (const line of inColumns(rows.map(partsOf))) output.line(line)
  return undefined
}

export async function exportReceipts({ flags, deps }: Asked<AuditFlags>): Promise<void> {
  const output = createOutput(deps)
  await withAuditDesk(flags, deps, async (desk) => {
    const { tenant } = chainOf(flags, desk)
    for await (const row of readFrom(0, { tenant, desk })) output.json(lineOf(row))
  })
}

async function verifyAll(
  chains: readonly ReceiptChain[],
  { readPage }: AuditDesk,
  anchor: ChainEnd | undefined,
): Promise<readonly VerifiedChain[]> {
  const verified: VerifiedChain[] = []
  for (const { tenant, end } of chains) {
    const read = (afterSeq: number, limit: number) => readPage(tenant, afterSeq, limit)
    verified.push(await verifyChain({ tenant, end, readPage: read, ...(anchor && { anchor }) }))
  }
  return verified
}

function chainOf({ tenant = 'default' }: AuditFlags, { chains }: AuditDesk): ReceiptChain {
  const chain = chains.find((each) => each.tenant === tenant)
  if (chain !== undefined) return chain
  const known = chains.map((each) => each.tenant).join(', ') || 'none'
  throw new CliFailure(1, `tenant "${tenant}" has no receipts; tenants with some: ${known}`)
}

async function* readFrom(
  afterSeq: number,
  { tenant, desk }: { readonly tenant: string; readonly desk: AuditDesk },
): AsyncGenerator<ChainedReceipt> {
  let last = afterSeq
  for (;;) {
    const page = await desk.readPage(tenant, last, EXPORT_PAGE)
    yield* page
    last = page.at(-1)?.seq ?? last
    if (page.length < EXPORT_PAGE) return
  }
}

function printChain({ tenant, receipts, end, faults }: VerifiedChain, output: Output): void {
  const state = faults.length === 0 ? 'intact' : `${faults.length} faults`
  const count = receipts === 1 ? '1 receipt' : `${receipts} receipts`
  output.line(harmless(`${tenant}: ${count}, ${state}${end === undefined ? '' : `, end ${end.seq}:${end.hash}`}`))
  for (const { message } of faults) output.line(harmless(`    ${message}`))
}

function plain(chain: VerifiedChain): JsonObject {
  return JSON.parse(JSON.stringify(chain))
}

/** What `export` prints: all that is needed to check the chain again. */
function lineOf({ seq, previous, hash, text }: ChainedReceipt): JsonObject {
  const receipt = readReceipt(text)
  return { seq, previous, hash, receipt: receipt === undefined ? null : JSON.parse(text) }
}

function partsOf({ seq, id, text }: ChainedReceipt): readonly string[] {
  const receipt = readReceipt(text)
  if (receipt === undefined) return [String(seq), `${id}  (damaged)`]
  const time = new Date(receipt.startedMs).toISOString()
  if (isDecision(receipt)) {
    const { agent, toolId, approval, state, decidedBy, ms } = receipt
    return [String(seq), time, agent, toolId, `${approval} ${state}`, `by ${decidedBy}`, `${ms} ms`, id].map(harmless)
  }
  const { agent, toolId, requested, outcome, effect, ms } = receipt
  return [String(seq), time, agent, toolId ?? requested, outcome, `effect ${effect}`, `${ms} ms`, id].map(harmless)
}
