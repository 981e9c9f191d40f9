import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Receipt } from '../../bridge/receipt.ts'
import { StoreError } from './errors.ts'
import { PENDING_FILE_BYTES, PENDING_RECEIPTS_COUNT, PENDING_RECEIPTS_MS, ROW_BYTES } from './limits.ts'
import type { ChainEntry } from './receipt-chain.ts'
import { readReceipt } from './receipt-chain.ts'

/** Receipts that are kept and not yet in their chains. */
export interface PendingReceipts {
  /**
   * Keeps it when it returns, also where the process is killed then. One that was noted is written once the answer that waits for it
   * has gone out, in the same turn of the event loop: in between a kill leaves the note.
   * @throws the fault of the file, or of the chains where those before it could not be written
   */
  keep(receipt: Receipt): void
  /** Its call is under way: it is chained at the next start, should none of its id be kept before. */
  note(receipt: Receipt): void
  /** Before a call is made whose receipt is kept later. Throws the fault of the chains, where they have one still. */
  check(): void
  /** Before anything is read of the chains, or added to them. Throws their fault; what waits then still waits. */
  settle(): void
  /** Safe to call twice. */
  close(): void
}

export interface PendingReceiptsDeps {
  /** One process at a time. */
  readonly file: string
  /** Puts them at the end of their chains, all or nothing, without those that are there already. */
  readonly chain: (receipts: readonly ChainEntry[]) => void
}

/**
 * A place in a chain costs a transaction of five pages, and its answer would wait for it; a line at the end of a file costs
 * a fifth of that and outlives the process as well. The lines of a moment then get their places together.
 */
export function openPendingReceipts({ file, chain }: PendingReceiptsDeps): PendingReceipts {
  const lines = openLines(file)
  let waiting = lines.read()
  const underWay = new Map<string, Receipt>()
  /** Of what was noted, not written yet. */
  let ends: Receipt[] = []
  let hasFailed = false
  let timer: NodeJS.Timeout | undefined
  const settle = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    chain(waiting)
    waiting = []
    ends = []
    hasFailed = false
    // What is chained may stand there still, since it is left out of a chain that has it.
    if (underWay.size > 0 && lines.bytes() < PENDING_FILE_BYTES) return
    lines.clear()
    lines.add([...underWay.values()].map(noteText))
  }
  const settleLater = (): void => {
    try {
      settle()
    } catch {
      // Whoever comes next hears of it, and until then nothing is lost.
      hasFailed = true
    }
  }
  const writeEnds = (): void => {
    const texts = ends.map((receipt) => JSON.stringify(receipt))
    ends = []
    try {
      lines.add(texts)
    } catch {
      // Each has its note there, and its place in a chain is still to come.
      hasFailed = true
    }
  }
  settle()
  // What is left now is no receipt, and the half line at its end would swallow the one that comes next.
  lines.clear()
  return {
    keep(receipt) {
      if (hasFailed || waiting.length >= PENDING_RECEIPTS_COUNT) settle()
      if (!underWay.delete(receipt.id)) lines.add([JSON.stringify(receipt)])
      // Microtasks come first, and of those alone the way from here to the answer is made.
      else if (ends.push(receipt) === 1) process.nextTick(writeEnds)
      waiting.push(receipt)
      timer ??= setTimeout(settleLater, PENDING_RECEIPTS_MS).unref()
    },
    note(receipt) {
      lines.add([noteText(receipt)])
      underWay.set(receipt.id, receipt)
    },
    check() {
      if (hasFailed) settle()
    },
    settle,
    close() {
      settleLater()
      clearTimeout(timer)
      writeEnds()
      lines.close()
    },
  }
}

interface Lines {
  add(texts: readonly string[]): void
  /** What was kept, and what was noted alone. */
  read(): ChainEntry[]
  bytes(): number
  clear(): void
  close(): void
}

function openLines(file: string): Lines {
  const handle = openSync(file, 'a+', 0o600)
  let [bytes, isOpen] = [0, true]
  const cut = (): void => {
    try {
      ftruncateSync(handle, bytes)
    } catch {
      // What is there twice is left out of the chains, and what is half a line is none.
    }
  }
  return {
    add(texts) {
      if (texts.length === 0) return
      const long = texts.find(({ length }) => length > ROW_BYTES)
      if (long !== undefined) throw new StoreError('row-too-large', `a receipt of ${long.length} characters`)
      const added = texts.map((text) => `${text}\n`).join('')
      const length = Buffer.byteLength(added)
      try {
        const written = writeSync(handle, added)
        if (written < length) throw new StoreError('store-full', `"${file}" cannot grow: the disk is full`)
      } catch (error) {
        cut()
        throw error
      }
      bytes += length
    },
    read() {
      const found = readFileSync(handle, 'utf8').split('\n').flatMap(readLine)
      const kept = found.filter(({ isNote }) => !isNote).map(({ entry }) => entry)
      const ended = new Set(kept.map(({ id }) => id))
      return [...kept, ...found.map(({ entry }) => entry).filter(({ id }) => !ended.has(id))]
    },
    bytes: () => bytes,
    clear() {
      bytes = 0
      cut()
    },
    close() {
      if (isOpen) closeSync(handle)
      isOpen = false
    },
  }
}

interface Line {
  readonly entry: ChainEntry
  readonly isNote: boolean
}

function readLine(line: string): readonly Line[] {
  const note = line.startsWith(NOTE_START) ? readReceipt(line.slice(NOTE_START.length)) : undefined
  if (note !== undefined) return [{ entry: note, isNote: true }]
  const entry = readReceipt(line)
  return entry === undefined ? [] : [{ entry, isNote: false }]
}

/** No JSON: a Drawbridge that knows no notes takes it for half a line. */
function noteText(receipt: Receipt): string {
  return `${NOTE_START}${JSON.stringify(receipt)}`
}

const NOTE_START = 'under way '
