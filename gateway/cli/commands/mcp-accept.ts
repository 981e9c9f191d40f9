import type { JsonObject } from '../../../catalog/json.ts'
import { CliFailure } from '../cli-failure.ts'
import { createGatewayClient } from '../gateway-client.ts'
import type { Output } from '../output.ts'
import { createOutput, harmless, oneLine } from '../output.ts'
import type { Asked } from './config-flags.ts'
import { failureOf, objectsOf, textOf, textsOf } from './failed-answer.ts'
import { findingText } from './finding-text.ts'

export interface AcceptFlags {
  readonly stateDir?: string
  readonly all?: true
  readonly json?: true
}

interface AcceptRequest extends Asked<AcceptFlags> {
  readonly server: string
  readonly tool: string | undefined
}

/** Shows what waits; with a tool's name or `--all` lets through exactly what it has shown. */
export async function acceptTools(request: AcceptRequest): Promise<void> {
  const { server, tool, flags, deps } = request
  if (tool !== undefined && flags.all) throw new CliFailure(2, 'name one tool or give --all, not both')
  const output = createOutput(deps)
  const changes = await readChanges(request)
  if (changes.length === 0) {
    const what = tool === undefined ? 'no tool' : `no tool ${JSON.stringify(tool)}`
    if (tool !== undefined) throw new CliFailure(1, `${what} of MCP server "${server}" waits for a look`)
    return flags.json ? output.json({ server, changes: [], accepted: [] }) : output.note(`${what} of ${server} waits`)
  }
  const isDecision = tool !== undefined || flags.all === true
  if (!flags.json) for (const change of changes) printChange(change, output)
  const accepted = isDecision ? await accept(changes, request) : []
  if (flags.json) return output.json({ server, changes, accepted })
  if (isDecision) return output.line(`accepted ${accepted.map((name) => oneLine(name, NAME_CHARS)).join(', ')}`)
  return output.note(`let through: drawbridge mcp accept ${server} <tool>, or --all`)
}

const NAME_CHARS = 100

async function readChanges({ server, tool, flags, deps }: AcceptRequest): Promise<readonly JsonObject[]> {
  const query = new URLSearchParams({ server, ...(tool !== undefined && { tool }) })
  const client = createGatewayClient(flags.stateDir, deps, 'admin')
  const answer = await client.request({ method: 'GET', path: `/v1/mcp/changes?${query.toString()}` })
  if (answer.status !== 200) throw failureOf(answer)
  return objectsOf(answer.body['changes'])
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
  output.line(harmless(textOf(change, 'diff') ?? ''))
}
