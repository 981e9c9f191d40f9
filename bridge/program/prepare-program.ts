import { isJson } from '../../catalog/read-json.ts'
import type { Notice } from '../outcome.ts'
import type { EditedText } from './text/edited-text.ts'
import { applyEdits, unedited } from './text/edited-text.ts'
import { RECHECK_CHARS } from './limits.ts'
import { mendProgram } from './parsing/mended-program.ts'
import type { ParseProgram } from './parsing/parse-program.ts'
import { createParser } from './parsing/parse-program.ts'
import { partLines } from './parsing/parted-lines.ts'
import { linesOf } from './text/positions.ts'
import type { PreparedProgram } from './prepared-program.ts'
import { conditionNotice } from './shape/condition-notice.ts'
import { listingNotice } from './shape/listing-notice.ts'
import { quotedTemplateNotice } from './shape/quoted-template.ts'
import { shapeProgram } from './shape/program-shape.ts'
import { RESULT_NOTICES } from './shape/result-notices.ts'
import { readSource } from './text/read-source.ts'
import { programForCall, programForId } from './text/sent-call.ts'
import { syntaxError } from './parsing/syntax-error.ts'
import { unwrapText } from './wrapping/unwrap-text.ts'

export interface SourceLimits {
  /** UTF-8 bytes of what the model sent. */
  readonly sourceBytes: number
}

/**
 * Makes what a model wrote into the body of an async function: takes it out of fences, tags and JSON, mends what its
 * way here did to it, leaves types, imports and exports out, and returns its last value. What was changed is in the
 * notices; a program that is fine is not touched. Never throws: what cannot run is `invalid`, with the place.
 */
export function prepareProgram(source: unknown, limits: SourceLimits): PreparedProgram {
  const read = readSource(source)
  if (read.kind === 'problem')
    return invalid('program-error', `${read.message}; send JavaScript, e.g. return await tools.search("…")`)
  const bytes = Buffer.byteLength(read.text)
  if (bytes > limits.sourceBytes) {
    return invalid(
      'limit',
      `the program has ${bytes} bytes, more than ${limits.sourceBytes}; send less, and large data in parts through tools.store`,
    )
  }
  // A first line for the shell is a comment to Node, and nothing to a function; so is the mark of a byte order.
  const hashBang = /^\ufeff*(?:#![^\n]*)?/.exec(read.text)?.[0].length ?? 0
  const start = applyEdits(unedited(read.text), hashBang === 0 ? [] : [{ start: 0, end: hashBang, text: '' }])
  const parse = createParser()
  const unwrapped = unwrapText(start, parse)
  return finish(unwrapped.text, [...read.notices, ...unwrapped.notices], parse)
}

function finish(text: EditedText, notices: readonly Notice[], parse: ParseProgram): PreparedProgram {
  // What was fenced may be a call's arguments as JSON: then the program is inside that.
  const inner = text.text === text.source ? undefined : readSource(text.text)
  if (inner?.kind === 'text' && inner.notices.length > 0)
    return finish(unedited(inner.text), [...notices, ...inner.notices], parse)
  const instead = programForCall(text.text)
  if (instead !== undefined)
    return invalid(
      'program-error',
      `this is the call of a tool, not a program, so nothing was called; send: ${instead}`,
    )
  const ofId = programForId(text.text)
  if (ofId !== undefined)
    return invalid('program-error', `this is the id of a tool, not a program, so nothing was called; send: ${ofId}`)
  const mended = partLines(mendProgram(text, parse), parse)
  if (mended.kind === 'fault') return { kind: 'invalid', error: syntaxError(mended.text, mended.fault), notices }
  const known = [...notices, ...mended.notices]
  const shape = shapeProgram(mended.text.text, mended.program)
  if (shape.kind === 'problem') return { kind: 'invalid', error: syntaxError(mended.text, shape), notices: known }
  const shaped = applyEdits(mended.text, shape.edits)
  // The code is pasted nowhere, and yet: it must be a whole function body by itself, whatever the edits made of it.
  const checked = shaped.text.length > RECHECK_CHARS ? undefined : parse(shaped.text, 'javascript')
  if (checked?.kind === 'error') return { kind: 'invalid', error: syntaxError(shaped, checked), notices: known }
  const wondered = [conditionNotice, listingNotice, quotedTemplateNotice].map((noticeOf) => noticeOf(shaped.text))
  const shapeNotices = isData(text.text) ? [RESULT_NOTICES.data] : shape.notices
  return ready(shaped, [...known, ...shapeNotices, ...wondered.filter((one) => one !== undefined)])
}

/** An object or a list of JSON and nothing else, which is a program of one value. */
function isData(text: string): boolean {
  const trimmed = text.trim()
  return /^[[{]\s*["[{]/.test(trimmed) && isJson(trimmed)
}

function ready(shaped: EditedText, notices: readonly Notice[]): PreparedProgram {
  return {
    kind: 'ready',
    code: shaped.text,
    notices,
    // Worked out when an error asks for it: most programs end without one.
    toSource(line, column) {
      const offset = linesOf(shaped.text).offsetOf({ line, column })
      return linesOf(shaped.source).positionOf(shaped.toSource(offset))
    },
    sourceLine: (line) => linesOf(shaped.source).textOf(line),
  }
}

function invalid(code: 'program-error' | 'limit', message: string): PreparedProgram {
  return { kind: 'invalid', error: { code, message }, notices: [] }
}
