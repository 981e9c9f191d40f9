import type { JsonObject } from '../../../../catalog/json.ts'
import { hashJson } from '../../../../catalog/json.ts'
import { CliFailure } from '../../cli-failure.ts'
import { createGatewayClient } from '../../gateway-client.ts'
import { notConfigured, readStatuses } from '../../mcp-desk.ts'
import type { Output } from '../../output.ts'
import { createOutput, harmless, oneLine } from '../../output.ts'
import type { Asked } from '../config/config-flags.ts'
import { failureOf, objectsOf, textOf, textsOf } from '../failed-answer.ts'
import { findingText } from '../doctor/finding-text.ts'

export interface AcceptFlags {
  readonly stateDir?: string
  readonly all?: true
  readonly hash?: string
  readonly json?: true
}

interface AcceptRequest extends Asked<AcceptFlags> {
  readonly server: string
  readonly tool: string | undefined
}

/**
 * Shows what waits; with a tool's name or `--all` lets through exactly what it has shown, and with `--hash` only what an
 * earlier look has shown.
 */
export async function acceptTools(request: AcceptRequest): Promise<void> {
  const { server, tool, flags, deps } = request
  if (tool !== undefined && flags.all) throw new CliFailure(2, 'name one tool or give --all, not both')
  if (flags.hash !== undefined && tool === undefined && !flags.all) {
    throw new CliFailure(2, '--hash says what was looked at; name the tool that it belongs to, or give --all')
  }
  const output = createOutput(deps)
  const changes = await readChanges(request)
  if (changes.length === 0) {
    const what = tool === undefined ? 'no tool' : `no tool ${JSON.stringify(tool)}`
    await checkServer(request)
    if (tool !== undefined) throw new CliFailure(1, `${what} of MCP server "${server}" waits for a look`)
    return flags.json ? output.json({ server, changes: [], accepted: [] }) : output.note(`${what} of ${server} waits`)
  }
  const isDecision = tool !== undefined || flags.all === true
  if (!flags.json) for (const change of changes) printChange(change, output)
  if (isDecision) checkHash(changes, flags.hash)
  const accepted = isDecision ? await accept(changes, request) : []
  if (flags.json) return output.json({ server, changes, accepted })
  if (isDecision) return output.line(`accepted ${accepted.map((name) => oneLine(name, NAME_CHARS)).join(', ')}`)
  const all = changes.length > 1 ? `, or --all --hash ${hashOf(changes)}` : ''
  return output.note(`let through: drawbridge mcp accept ${server} <tool> --hash <its hash>${all}`)
}

/** Of one its own, of several one for all of them together. */
function hashOf(changes: readonly JsonObject[]): string {
  const [only = '', ...others] = changes.map((change) => textOf(change, 'hash') ?? '').toSorted()
  return others.length === 0 ? only : hashJson([only, ...others])
}

function checkHash(changes: readonly JsonObject[], looked: string | undefined): void {
  const now = hashOf(changes)
  if (looked === undefined || looked === now) return
  throw new CliFailure(
    1,
    `what waits now is not what was looked at: its hash is ${now}; look at it, then give that one. Nothing was let through`,
  )
}

const NAME_CHARS = 100

async function readChanges({ server, tool, flags, deps }: AcceptRequest): Promise<readonly JsonObject[]> {
  const query = new URLSearchParams({ server, ...(tool !== undefined && { tool }) })
  const client = createGatewayClient(flags.stateDir, deps, 'admin')
  const answer = await client.request({ method: 'GET', path: `/v1/mcp/changes?${query.toString()}` })
  if (answer.status !== 200) throw failureOf(answer)
  return objectsOf(answer.body['changes'])
}

/** A slip in the name would read as if nothing waited. */
async function checkServer({ server, flags, deps }: AcceptRequest): Promise<void> {
  const statuses = (await readStatuses(flags.stateDir, deps)) ?? []
  const names = statuses.map((status) => textOf(status, 'server') ?? '')
  if (!names.includes(server)) throw notConfigured(server, names)
}

async function accept(changes: readonly JsonObject[], { server, flags, deps }: AcceptRequest) {
  const client = createGatewayClient(flags.stateDir, deps, 'admin')
  const tools = changes.map((change) => ({ tool: textOf(change, 'tool') ?? '', hash: textOf(change, 'hash') ?? '' }))
  const path = `/v1/mcp/servers/${encodeURIComponent(server)}/accept`
  const answer = await client.request({ method: 'POST', path, body: { tools } })
  if (answer.status !== 200) throw failureOf(answer)
  return textsOf(answer.body['accepted'])
}

function printChange(change: JsonObject, output: Output): void {
  output.line(output.bold(oneLine(textOf(change, 'id') ?? '', NAME_CHARS)))
  for (const finding of objectsOf(change['findings'])) output.line(`screening: ${findingText(finding)}`)
  output.line(`hash: ${oneLine(textOf(change, 'hash') ?? '', NAME_CHARS)}`)
  output.line(harmless(textOf(change, 'diff') ?? ''))
}
