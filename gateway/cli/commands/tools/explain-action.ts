import type { JsonObject } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'
import { createGatewayClient } from '../../gateway-client.ts'
import type { Output } from '../../output.ts'
import { createOutput, harmless } from '../../output.ts'
import { failureOf, objectsOf, textOf, textsOf } from '../failed-answer.ts'
import { findingText } from '../doctor/finding-text.ts'
import type { GatewayFlags } from '../gateway-options.ts'
import { callerHeaders } from '../gateway-options.ts'

export interface ExplainFlags extends GatewayFlags {
  readonly all?: true
  readonly channel?: string
  readonly sender?: string
  readonly senderName?: string
  readonly vouched?: true
  readonly parentAgent?: string
  /** `openai` or `openai/gpt-5.4`. */
  readonly provider?: string
}

interface AskedExplanation {
  readonly tool: string | undefined
  readonly flags: ExplainFlags
  readonly deps: CliDeps
}

export async function explain({ tool, flags, deps }: AskedExplanation): Promise<void> {
  if ((tool === undefined) === (flags.all === undefined)) {
    throw new CliFailure(2, 'name one tool, or give --all for every one, e.g. drawbridge explain --all')
  }
  const output = createOutput(deps)
  const path = tool === undefined ? '/v1/explain' : `/v1/tools/${encodeURIComponent(tool)}/explain`
  const answer = await createGatewayClient(flags.stateDir, deps, 'admin').request({
    method: 'GET',
    path: `${path}${queryOf(flags)}`,
    headers: headersOf(flags),
  })
  if (answer.status !== 200) throw failureOf(answer)
  if (flags.json) return output.json(answer.body)
  return tool === undefined ? printAll(answer.body, output) : printOne(answer.body, output)
}

function queryOf({ provider, vouched }: ExplainFlags): string {
  const [name, ...model] = provider?.split('/') ?? []
  const query = new URLSearchParams({
    ...(name !== undefined && { provider: name }),
    ...(model.length > 0 && { model: model.join('/') }),
    ...(vouched && { vouched: 'true' }),
  }).toString()
  return query === '' ? '' : `?${query}`
}

function headersOf(flags: ExplainFlags): Readonly<Record<string, string>> {
  const { channel, sender, senderName, parentAgent } = flags
  return {
    ...callerHeaders(flags),
    ...(channel !== undefined && { 'x-drawbridge-channel': channel }),
    ...(sender !== undefined && { 'x-drawbridge-sender': sender }),
    ...(senderName !== undefined && { 'x-drawbridge-sender-name': senderName }),
    ...(parentAgent !== undefined && { 'x-drawbridge-parent-agent': parentAgent }),
  }
}

function printAll(body: JsonObject, output: Output): void {
  const tools = objectsOf(body['tools'])
  const byState = Map.groupBy(tools, (tool) => textOf(tool, 'state') ?? '')
  for (const [state, standing] of [...byState].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    output.line(output.bold(`${state} (${standing.length})`))
    for (const tool of standing) {
      output.line(`    ${harmless(textOf(tool, 'id') ?? '')}`)
      output.line(output.dim(`        ${harmless(textOf(tool, 'reason') ?? '')}`))
    }
  }
  output.note(`${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}, mode ${textOf(body, 'mode') ?? ''}`)
}

function printOne(body: JsonObject, output: Output): void {
  output.line(`${output.bold(harmless(textOf(body, 'id') ?? ''))} is ${textOf(body, 'state') ?? ''}`)
  const reason = textOf(body, 'reason') ?? ''
  output.line(`    ${harmless(reason)}`)
  const unsaid = textsOf(body['nearest']).filter((id) => !reason.includes(id))
  for (const id of unsaid) output.line(`    near: ${harmless(id)}`)
  for (const finding of objectsOf(body['findings'])) output.line(`    screening: ${findingText(finding)}`)
  for (const layer of objectsOf(body['layers'])) output.line(harmless(layerText(layer)))
  for (const rule of objectsOf(body['rules'])) output.line(harmless(ruleText(rule)))
  const approval = isJsonObject(body['approval']) ? body['approval'] : undefined
  if (approval !== undefined) {
    output.line(`    approval: ${textOf(approval, 'needed') ?? ''}, by ${textsOf(approval['rules']).join(', ')}`)
  }
}

/** `    deny   global    "wipe" (tools.deny[1], drawbridge.json5:4:12)`. */
function layerText(layer: JsonObject): string {
  const { entry, missing, place } = layer
  const named = isJsonObject(entry) ? `"${textOf(entry, 'text') ?? ''}" (${placeOf(entry)})` : undefined
  const absent = isJsonObject(missing) ? `not in ${placeOf(missing)}` : undefined
  const own = isJsonObject(place) ? placeOf(place) : ''
  const profile = textOf(layer, 'profile')
  const kind = `${textOf(layer, 'layer') ?? ''}${profile === undefined ? '' : ` ${profile}`}`
  const claim = layer['vouched'] === false ? ' (not vouched: it only narrows)' : ''
  return `    ${(textOf(layer, 'verdict') ?? '').padEnd(6)} ${kind.padEnd(18)} ${named ?? absent ?? own}${claim}`
}

function ruleText(rule: JsonObject): string {
  const place = isJsonObject(rule['place']) ? placeOf(rule['place']) : ''
  const dependsOn = textsOf(rule['dependsOn'])
  const when = dependsOn.length === 0 ? (textOf(rule, 'applies') ?? '') : `by ${dependsOn.join(', ')}`
  const reason = textOf(rule, 'reason')
  return `    ${(textOf(rule, 'effect') ?? '').padEnd(6)} ${`rule (${when})`.padEnd(18)} ${place}${reason === undefined ? '' : `: ${reason}`}`
}

function placeOf(place: JsonObject): string {
  const at = [place['file'], place['line'], place['column']].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  )
  const path = textOf(place, 'path') ?? ''
  return at.length === 0 ? path : `${path}, ${at.join(':')}`
}
