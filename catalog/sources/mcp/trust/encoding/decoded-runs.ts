import { unzipSync } from 'node:zlib'
import { ENCODED_MAX_LENGTH, ENCODED_MAX_RUNS, ENCODED_MIN_LENGTH, UNPACKED_MAX_BYTES } from '../limits.ts'

export interface DecodedRun {
  readonly start: number
  readonly end: number
  readonly encoding:
    | 'Base64'
    | 'Base64 from its end'
    | 'binary numbers'
    | 'octal numbers'
    | 'hexadecimal'
    | 'percent-encoding'
    | 'escapes'
    | 'Base32'
    | 'numbers'
  readonly text: string
}

type Decode = (run: string) => Buffer | undefined

const ENCODINGS: readonly {
  readonly encoding: DecodedRun['encoding']
  readonly run: RegExp
  readonly decode: Decode
}[] = [
  {
    encoding: 'hexadecimal',
    run: /(?<![0-9A-Za-z])(?:0x)?(?:[0-9a-f]{2}[ :]?){6,}/gi,
    decode: (run) => Buffer.from(run.replace(/^0x|[ :]/gi, ''), 'hex'),
  },
  { encoding: 'Base64', run: /[A-Za-z0-9+/_-]{10,}={0,2}/g, decode: (run) => unpacked(Buffer.from(run, 'base64')) },
  {
    encoding: 'Base64 from its end',
    run: /={1,2}[A-Za-z0-9+/_-]{12,}/g,
    decode: (run) => Buffer.from(Array.from(run).toReversed().join(''), 'base64'),
  },
  { encoding: 'Base32', run: /(?<![A-Za-z0-9])[A-Z2-7]{16,}={0,6}/g, decode: fromBase32 },
  {
    encoding: 'percent-encoding',
    run: /%[0-9a-f]{2}(?:[\w.~-]{0,40}%[0-9a-f]{2}){3,}[\w.~-]{0,40}/gi,
    decode: (run) =>
      Buffer.from(
        run.replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(parseInt(code, 16))),
        'latin1',
      ),
  },
  {
    encoding: 'escapes',
    // Words may stand apart: what is between them is a blank, or one that is encoded too.
    run: /(?:(?:\\{1,2}x[0-9a-f]{2}|\\{1,2}u00[0-9a-f]{2}|&#x[0-9a-f]{2};) ?){6,}/gi,
    decode: (run) => Buffer.from(run.replaceAll(' ', '20').replace(/\\+x|\\+u00|&#x|;/gi, ''), 'hex'),
  },
  {
    encoding: 'escapes',
    run: /(?:\\u\{0{0,4}[0-9a-f]{2}\}){6,}/gi,
    decode: (run) => Buffer.from(run.replace(/\\u\{0*|\}/gi, ''), 'hex'),
  },
  {
    encoding: 'octal numbers',
    run: /(?:\\[0-3]?[0-7]{2}){6,}/g,
    decode: (run) => bytesOf(run.match(/[0-7]+/g), 8),
  },
  {
    encoding: 'octal numbers',
    run: /(?:\b[01][0-7]{2}[, ]{1,2}){7,}[01][0-7]{2}\b/g,
    decode: (run) => bytesOf(run.match(/[0-7]+/g), 8),
  },
  {
    encoding: 'binary numbers',
    run: /(?:\b[01]{8}[ ,]{1,2}){5,}[01]{8}\b/g,
    decode: (run) => bytesOf(run.match(/[01]+/g), 2),
  },
  {
    encoding: 'numbers',
    run: /(?:\b\d{2,3}[, ]{1,2}){7,}\d{2,3}\b|(?:&#\d{2,3};){6,}/g,
    decode: (run) => bytesOf(run.match(/\d+/g), 10),
  },
]

/** Runs of a text that are text once they are decoded. */
export function decodedRuns(text: string): readonly DecodedRun[] {
  const runs: DecodedRun[] = []
  for (const { encoding, run, decode } of ENCODINGS) {
    let tried = 0
    for (const { 0: found, index } of text.matchAll(run)) {
      if (found.length < ENCODED_MIN_LENGTH) continue
      tried += 1
      if (tried > ENCODED_MAX_RUNS) break
      const decoded = readable(decode(found.slice(0, ENCODED_MAX_LENGTH)))
      if (decoded !== undefined) runs.push({ start: index, end: index + found.length, encoding, text: decoded })
    }
  }
  return runs
}

function bytesOf(numbers: readonly string[] | null, base: number): Buffer {
  return Buffer.from((numbers ?? []).map((number) => Number.parseInt(number, base)).filter((code) => code < 256))
}

/** What gzip or zlib packed, by the bytes that both begin with. */
function unpacked(bytes: Buffer): Buffer {
  const isPacked =
    (bytes[0] === 0x1f && bytes[1] === 0x8b) || (bytes[0] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(bytes[1] ?? 0))
  if (!isPacked) return bytes
  try {
    return unzipSync(bytes, { maxOutputLength: UNPACKED_MAX_BYTES })
  } catch {
    // Only began like it, or is cut, or is larger than anybody reads.
    return bytes
  }
}

/** The text of bytes, if text is what they are. */
function readable(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined || bytes.length < 6) return undefined
  // Two bytes a character, as PowerShell takes its commands.
  const isWide = bytes.length % 2 === 0 && bytes.every((byte, at) => at % 2 === 0 || byte === 0)
  const text = bytes.toString(isWide ? 'utf16le' : 'utf8')
  const odd = text.replace(/[\t\n\r\x20-\x7e]/g, '').length
  return odd * 20 > text.length ? undefined : text
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(run: string): Buffer {
  const bytes: number[] = []
  let [held, bits] = [0, 0]
  for (const letter of run.replace(/=+$/, '')) {
    held = ((held << 5) | BASE32.indexOf(letter)) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 0xff)
  }
  return Buffer.from(bytes)
}
