import type { JsonObject } from '../../../json.ts'
import { isJsonObject } from '../../../json.ts'
import { readJson } from '../../../read-json.ts'
import { REFUSAL_WORDS_MAX_LENGTH } from '../limits.ts'

/** `: ` and what the server says of why it refused, in one line; empty where that is a page for people, or nothing. */
export function refusalWords({ data }: { readonly data?: unknown }): string {
  const body: unknown = isJsonObject(data) ? data['text'] : undefined
  const said = typeof body === 'string' ? (wordsIn(readJson(body)) ?? plainText(body)) : undefined
  const line = (said ?? '').replaceAll(/\s+/g, ' ').trim()
  return line === '' ? '' : `: ${line.slice(0, REFUSAL_WORDS_MAX_LENGTH)}`
}

/** The same of what a JSON-RPC error carries beside its message, unless that says it already. */
export function dataWords(data: unknown, message: string): string {
  const said = (typeof data === 'string' ? data : wordsIn(data)) ?? ''
  const line = said.replaceAll(/\s+/g, ' ').trim()
  return line === '' || message.includes(line) ? '' : `: ${line.slice(0, REFUSAL_WORDS_MAX_LENGTH)}`
}

/** As JSON-RPC, OAuth (RFC 6749), problem details (RFC 9457) and frameworks in use have it. */
export function wordsIn(body: unknown): string | undefined {
  if (!isJsonObject(body)) return undefined
  const { error, detail, errors, title } = body
  const nested = isJsonObject(error) ? nestedWords(error) : undefined
  const found = [
    nested,
    body['error_description'],
    body['message'],
    detail,
    listed(detail),
    listed(errors),
    title,
    error,
  ]
  return found.filter((each) => typeof each === 'string').find((each) => each !== '')
}

function nestedWords({ message, data }: JsonObject): string | undefined {
  return typeof message === 'string' ? `${message}${dataWords(data, message)}` : undefined
}

/** What is wrong with each part of a request, in a list or by its name. */
function listed(faults: unknown): string | undefined {
  if (!Array.isArray(faults) && !isJsonObject(faults)) return undefined
  const each = Object.values(faults)
    .flat()
    .map((fault) => (isJsonObject(fault) ? (fault['msg'] ?? fault['message']) : fault))
  return each.filter((text) => typeof text === 'string').join('; ')
}

function plainText(body: string): string | undefined {
  return /^\s*[<[{]/.test(body) ? undefined : body
}
