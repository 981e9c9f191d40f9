import { CHAIN_FAULTS, CHAIN_MOVE_PLACES, CHAIN_PAGE_ROWS } from './limits.ts'
import type { ChainedReceipt, ChainEnd } from './receipt-chain.ts'
import { CHAIN_START, chainHash, readReceipt, receiptText } from './receipt-chain.ts'

/** What is wrong with one place of a chain. */
export interface ChainFault {
  readonly kind: 'changed' | 'moved' | 'removed' | 'cut-off'
  readonly seq: number
  readonly message: string
}

export interface VerifiedChain {
  readonly tenant: string
  readonly receipts: number
  /** The last receipt that was there; absent for an empty chain. */
  readonly end?: ChainEnd
  /** In the order of the chain; the first hundred. */
  readonly faults: readonly ChainFault[]
}

export interface ChainToVerify {
  readonly tenant: string
  /** The recorded end, read before the rows; undefined where none is recorded. */
  readonly end: ChainEnd | undefined
  /** The next rows after a place, in order; none at the end. */
  readonly readPage: (afterSeq: number, limit: number) => Promise<readonly ChainedReceipt[]>
  /** A hash that was noted elsewhere earlier: whoever rewrote the whole chain since then does not meet it. */
  readonly anchor?: ChainEnd
}

/** Reads a chain from its start and names every receipt that was removed, changed or moved. */
export async function verifyChain(chain: ChainToVerify): Promise<VerifiedChain> {
  const faults: ChainFault[] = []
  const report = (fault: ChainFault | undefined): void => {
    if (fault !== undefined && faults.length < CHAIN_FAULTS) faults.push(fault)
  }
  const places = new Map([chain.end, chain.anchor].flatMap((place) => (place ? [[place.seq, place.hash]] : [])))
  let last: ChainEnd = { seq: 0, hash: CHAIN_START }
  let receipts = 0
  let isLastGood = true
  for (;;) {
    const page = await chain.readPage(last.seq, CHAIN_PAGE_ROWS)
    for (const row of page) {
      const gap = gapBefore(row, last.seq)
      const fault = faultOf(row, chain.tenant) ?? faultAtPlace(row, places)
      // What follows a gap or a fault cannot fit, and is not at fault for that.
      const loose = isLastGood && gap === undefined ? faultOfLink(row, last.hash) : undefined
      report(gap)
      report(fault ?? loose)
      isLastGood = fault === undefined
      last = row
      receipts += 1
    }
    if (page.length < CHAIN_PAGE_ROWS) break
  }
  report(cutOff(last.seq, chain))
  return {
    tenant: chain.tenant,
    receipts,
    ...(receipts > 0 && { end: { seq: last.seq, hash: last.hash } }),
    faults,
  }
}

function gapBefore(row: ChainedReceipt, lastSeq: number): ChainFault | undefined {
  const [first, last] = [lastSeq + 1, row.seq - 1]
  if (last < first) return undefined
  const which = first === last ? `receipt ${first} was` : `receipts ${first} to ${last} were`
  return { kind: 'removed', seq: first, message: `${which} removed` }
}

function faultOf(row: ChainedReceipt, tenant: string): ChainFault | undefined {
  const changed = (how: string): ChainFault => ({
    kind: 'changed',
    seq: row.seq,
    message: `${nameOf(row)} was changed${how}`,
  })
  const receipt = readReceipt(row.text)
  if (receipt === undefined) return changed(': it is no receipt')
  if (receipt.id !== row.id) return changed(`: it holds receipt "${receipt.id}"`)
  if (receipt.tenant !== tenant) return changed(`: it is one of tenant "${receipt.tenant}"`)
  const text = receiptText(receipt)
  if (chainHash(row, text) === row.hash) return undefined
  const place = placeOf(row, text)
  if (place === undefined) return changed('')
  return { kind: 'moved', seq: row.seq, message: `${nameOf(row)} was moved here from place ${place}` }
}

/** The place that the row's hash was made for. */
function placeOf(row: ChainedReceipt, text: string): number | undefined {
  for (let distance = 1; distance <= CHAIN_MOVE_PLACES; distance += 1) {
    for (const seq of [row.seq - distance, row.seq + distance]) {
      if (seq > 0 && chainHash({ ...row, seq }, text) === row.hash) return seq
    }
  }
  return undefined
}

function faultOfLink(row: ChainedReceipt, lastHash: string): ChainFault | undefined {
  if (row.previous === lastHash) return undefined
  const message = `${nameOf(row)} does not follow the one before it: one of the two was replaced`
  return { kind: 'changed', seq: row.seq, message }
}

function nameOf({ seq, id }: ChainedReceipt): string {
  return `receipt ${seq} (${JSON.stringify(id)})`
}

/** A whole chain that was made anew is whole in itself; only an end that was kept elsewhere tells. */
function faultAtPlace(row: ChainedReceipt, places: ReadonlyMap<number, string>): ChainFault | undefined {
  const known = places.get(row.seq)
  if (known === undefined || known === row.hash) return undefined
  const message = `${nameOf(row)} has another hash than was recorded: it, or one before it, was changed`
  return { kind: 'changed', seq: row.seq, message }
}

function cutOff(lastSeq: number, { end, anchor }: ChainToVerify): ChainFault | undefined {
  if (end === undefined && lastSeq > 0) {
    return {
      kind: 'cut-off',
      seq: lastSeq,
      message: `the recorded end of the chain was removed; receipt ${lastSeq} is the last`,
    }
  }
  const known = Math.max(end?.seq ?? 0, anchor?.seq ?? 0)
  if (known <= lastSeq) return undefined
  const which = known === lastSeq + 1 ? `receipt ${known} was` : `receipts ${lastSeq + 1} to ${known} were`
  return { kind: 'cut-off', seq: lastSeq + 1, message: `${which} removed at the end` }
}
