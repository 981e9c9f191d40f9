import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'
import type { GatewayClient } from '../../gateway-client.ts'
import { createGatewayClient } from '../../gateway-client.ts'
import { DESCRIPTION_CHARS, LIST_PAGE, LIST_PAGES_MAX } from '../../limits.ts'
import type { Output } from '../../output.ts'
import { createOutput, harmless, oneLine, readable } from '../../output.ts'
import { failureOf, objectsOf, textOf, textsOf } from '../failed-answer.ts'
import type { GatewayFlags } from '../gateway-options.ts'
import { callerHeaders } from '../gateway-options.ts'

export interface SearchFlags extends GatewayFlags {
  readonly limit?: number
  readonly explain?: true
}

interface Asked<Flags> {
  readonly flags: Flags
  readonly deps: CliDeps
}

export async function listTools({ flags, deps }: Asked<GatewayFlags>): Promise<void> {
  const output = createOutput(deps)
  const tools = await readAllTools(createGatewayClient(flags.stateDir, deps), flags)
  if (flags.json) return output.json({ tools })
  for (const tool of tools) printTool(tool, output)
  return output.note(tools.length === 1 ? '1 tool' : `${tools.length} tools`)
}

export async function searchTools({
  query,
  flags,
  deps,
}: Asked<SearchFlags> & { readonly query: string }): Promise<void> {
  const output = createOutput(deps)
  const answer = await createGatewayClient(flags.stateDir, deps).request({
    method: 'POST',
    path: '/v1/tools/search',
    headers: callerHeaders(flags),
    body: { query, ...(flags.limit !== undefined && { limit: flags.limit }), ...(flags.explain && { explain: true }) },
  })
  if (answer.status !== 200) throw failureOf(answer)
  if (flags.json) return output.json(answer.body)
  const hits = objectsOf(answer.body['hits'])
  for (const hit of hits) {
    printTool(hit, output)
    const signature = textOf(hit, 'signature')
    if (signature !== undefined) output.line(output.dim(indented(harmless(signature))))
    if (flags.explain) output.line(output.dim(`    ${whyOf(hit)}`))
  }
  if (hits.length === 0) output.note('nothing was found')
  for (const note of textsOf(answer.body['notes'])) output.note(harmless(note))
  printNotices(answer.body, output)
}

export async function callTool(
  asked: Asked<GatewayFlags> & { readonly tool: string; readonly args: string | undefined },
): Promise<void> {
  const { tool, flags, deps } = asked
  const output = createOutput(deps)
  const args = await readArguments(asked.args, deps)
  const answer = await createGatewayClient(flags.stateDir, deps).request({
    method: 'POST',
    path: `/v1/tools/${encodeURIComponent(tool)}/call`,
    headers: callerHeaders(flags),
    body: { args },
  })
  // The body is the same however the call ended, so that a script finds everything in one place.
  if (flags.json && answer.body['outcome'] !== undefined) output.json(answer.body)
  if (answer.status !== 200) throw failureOf(answer)
  if (flags.json) return undefined
  printNotices(answer.body, output)
  return output.line(harmless(readable(answer.body['value'] ?? null)))
}

async function readAllTools(client: GatewayClient, flags: GatewayFlags): Promise<readonly JsonObject[]> {
  const tools: JsonObject[] = []
  let offset: JsonValue = 0
  for (let page = 0; page < LIST_PAGES_MAX && typeof offset === 'number'; page += 1) {
    const path = `/v1/tools?limit=${LIST_PAGE}&offset=${offset}`
    const answer = await client.request({ method: 'GET', path, headers: callerHeaders(flags) })
    if (answer.status !== 200) throw failureOf(answer)
    tools.push(...objectsOf(answer.body['tools']))
    offset = answer.body['nextOffset'] ?? null
  }
  return tools
}

/** JSON5, as people type it on a command line. */
async function readArguments(text: string | undefined, deps: CliDeps): Promise<JsonObject> {
  if (text === undefined) return {}
  const { readValue } = await import('../read-value.ts')
  const read = readValue(text === '-' ? await deps.readStdin() : text, { isStrict: false })
  if (read.kind === 'invalid') throw new CliFailure(2, read.message)
  if (isJsonObject(read.value)) return read.value
  throw new CliFailure(
    2,
    `the arguments are ${oneLine(JSON.stringify(read.value), 60)}; expected an object, e.g. "{ id: 7 }"`,
  )
}

/** Beside a result: what was clamped, coerced or left out of it. */
function printNotices(body: JsonObject, output: Output): void {
  for (const notice of objectsOf(body['notices'])) output.note(`note: ${harmless(textOf(notice, 'message') ?? '')}`)
}

function printTool(tool: JsonObject, output: Output): void {
  const weak = tool['weak'] === true ? output.dim(' (weak)') : ''
  const unavailable = textOf(tool, 'unavailable')
  const absent = unavailable === undefined ? '' : output.dim(` (unavailable: server ${harmless(unavailable)})`)
  output.line(`${output.bold(harmless(textOf(tool, 'id') ?? ''))}${weak}${absent}`)
  const description = oneLine(textOf(tool, 'description') ?? '', DESCRIPTION_CHARS)
  if (description !== '') output.line(`    ${description}`)
}

function indented(text: string): string {
  return text.replace(/^/gm, '    ')
}

function whyOf(hit: JsonObject): string {
  const terms = objectsOf(hit['why']).map(
    (why) => `${textOf(why, 'field')}:${textOf(why, 'term')} ${JSON.stringify(why['score'])}`,
  )
  return harmless(`score ${JSON.stringify(hit['score'])}${terms.length === 0 ? '' : `, by ${terms.join(', ')}`}`)
}
