import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Receipt } from '../../bridge/receipt.ts'
import { StoreError } from './errors.ts'
import { PENDING_FILE_BYTES, PENDING_RECEIPTS_COUNT, PENDING_RECEIPTS_MS, ROW_BYTES } from './limits.ts'
import type { ChainEntry } from './receipt-chain.ts'
import { readReceipt } from './receipt-chain.ts'

/** Receipts that are kept and not yet in their chains. */
export interface PendingReceipts {
  /**
   * Keeps it when it returns, also where the process is killed then. One that was noted comes into its chain also where this throws,
   * once that can be written again; a kill before leaves its note.
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
  const underWay = createUnderWay(lines)
  let hasFailed = false
  let timer: NodeJS.Timeout | undefined
  const settle = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    chain(waiting)
    waiting = []
    hasFailed = false
    // What is chained may stand there still, since it is left out of a chain that has it.
    if (!underWay.isEmpty() && lines.bytes() < PENDING_FILE_BYTES + 2 * underWay.notedAgainBytes()) return
    lines.clear()
    underWay.noteAgain()
  }
  const settleLater = (): void => {
    try {
      settle()
    } catch {
      // Whoever comes next hears of it, and until then nothing is lost.
      hasFailed = true
    }
  }
  const wait = (receipt: Receipt): void => {
    waiting.push(receipt)
    timer ??= setTimeout(settleLater, PENDING_RECEIPTS_MS).unref()
  }
  settle()
  // What is left now is no receipt, and the half line at its end would swallow the one that comes next.
  lines.clear()
  return {
    keep(receipt) {
      try {
        if (hasFailed || waiting.length >= PENDING_RECEIPTS_COUNT) settle()
        lines.add(underWay.has(receipt.id) ? endText(receipt) : JSON.stringify(receipt))
      } catch (error) {
        hasFailed = true
        // Its call was made, and nobody else says so while this process runs.
        if (underWay.end(receipt.id)) wait(receipt)
        throw error
      }
      underWay.end(receipt.id)
      wait(receipt)
    },
    note: underWay.note,
    check() {
      if (hasFailed) settle()
    },
    settle,
    close() {
      settleLater()
      clearTimeout(timer)
      lines.close()
    },
  }
}

interface UnderWay {
  readonly note: (receipt: Receipt) => void
  isEmpty(): boolean
  has(id: string): boolean
  /** Whether it was noted. */
  end(id: string): boolean
  /** In a file that was cleared. */
  noteAgain(): void
  /** Of what that wrote last: with thousands under way it is most of the file. */
  notedAgainBytes(): number
}

/** What is noted in the file and has not ended. */
function createUnderWay(lines: Pick<Lines, 'add' | 'bytes'>): UnderWay {
  let bytes = 0
  const noted = new Map<string, Receipt>()
  const note = (receipt: Receipt): void => {
    lines.add(noteText(receipt))
    noted.set(receipt.id, receipt)
  }
  return {
    note,
    isEmpty: () => noted.size === 0,
    has: (id) => noted.has(id),
    end: (id) => noted.delete(id),
    notedAgainBytes: () => bytes,
    noteAgain() {
      bytes = 0
      const all = [...noted.values()]
      if (all.length === 0) return
      // What cannot be noted again is written whole when it ends.
      noted.clear()
      lines.add(all.map(noteText).join('\n'))
      for (const receipt of all) noted.set(receipt.id, receipt)
      bytes = lines.bytes()
    },
  }
}

interface Lines {
  add(text: string): void
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
    add(text) {
      // Its number may be another file's by now.
      if (!isOpen) throw new StoreError('store-closed', `"${file}" is closed`)
      if (text.length > ROW_BYTES) throw new StoreError('row-too-large', `a receipt of ${text.length} characters`)
      const line = `${text}\n`
      const length = Buffer.byteLength(line)
      try {
        const written = writeSync(handle, line)
        if (written < length) throw new StoreError('store-full', `"${file}" cannot grow: the disk is full`)
      } catch (error) {
        cut()
        throw error
      }
      bytes += length
    },
    read: () => receiptsOf(readFileSync(handle, 'utf8').split('\n')),
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

/** What was kept in the order of its keeping, then what was noted alone. */
function receiptsOf(lines: readonly string[]): ChainEntry[] {
  const notes = new Map<string, ChainEntry>()
  const kept: ChainEntry[] = []
  for (const line of lines) {
    const note = readBehind(NOTE_START, line)
    const end = readBehind(END_START, line)
    const noted = end && notes.get(end.id)
    const entry = noted ? { ...noted, ...end } : readReceipt(line)
    if (note !== undefined) notes.set(note.id, note)
    else if (entry !== undefined) kept.push(entry)
  }
  const ended = new Set(kept.map(({ id }) => id))
  return [...kept, ...[...notes.values()].filter(({ id }) => !ended.has(id))]
}

function readBehind(start: string, line: string): ChainEntry | undefined {
  return line.startsWith(start) ? readReceipt(line.slice(start.length)) : undefined
}

/** No JSON: a Drawbridge that knows no notes takes it for half a line. */
function noteText(receipt: Receipt): string {
  return `${NOTE_START}${JSON.stringify(receipt)}`
}

/** What its note could not say: a quarter of the line, which the answer of the call waits for. */
function endText({ id, tenant, outcome, effect, ms, approval }: Receipt): string {
  return `${END_START}${JSON.stringify({ id, tenant, outcome, effect, ms, approval })}`
}

const NOTE_START = 'under way '
const END_START = 'ended '
