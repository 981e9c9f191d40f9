import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import { publicUrl } from '../../../../catalog/sources/mcp/journal/secret-filter.ts'
import { hasReference } from '../../../config/secrets/references.ts'
import { readServers, readStatuses } from '../../mcp-desk.ts'
import { createOutput, inColumns, oneLine } from '../../output.ts'
import type { Asked, ConfigFlags } from '../config/config-flags.ts'
import { textOf } from '../failed-answer.ts'

/** An address or a reason on one line of a terminal, behind a name. */
const SHOWN_CHARS = 100

export async function listServers(asked: Asked<ConfigFlags>): Promise<void> {
  const output = createOutput(asked.deps)
  const [servers, statuses] = [await readServers(asked), await readStatuses(asked.flags.stateDir, asked.deps)]
  const listed = Object.entries(servers).map(([name, server]) => {
    const status = statuses?.find((each) => each['server'] === name)
    return { name, address: addressOf(server), ...(status && { status: wordOf(status), details: status }) }
  })
  if (asked.flags.json) return output.json({ running: statuses !== undefined, servers: listed })
  const rows = listed.map(({ name, address, status, details }) => {
    return [name, `${status ?? 'configured'}${toolsOf(details)}`, oneLine(address, SHOWN_CHARS)]
  })
  for (const [at, line] of inColumns(rows).entries()) {
    const name = listed[at]?.name ?? ''
    output.line(`${output.bold(name)}${line.slice(name.length)}`)
    const reason = reasonOf(listed[at]?.details)
    if (reason !== undefined) output.line(output.dim(`    ${oneLine(reason, SHOWN_CHARS * 2)}`))
  }
  if (listed.length === 0) return output.note('no MCP server is configured; add one with "drawbridge mcp add"')
  if (statuses === undefined) output.note('no gateway runs; "drawbridge mcp test <server>" connects to one of them')
  return undefined
}

/** What it is reached by, without its secrets: references are not resolved, arguments not shown. */
function addressOf(server: JsonValue): string {
  if (!isJsonObject(server)) return ''
  const url = textOf(server, 'url')
  if (url === undefined) return textOf(server, 'command') ?? ''
  // With a reference in it, it is no address yet; what follows a question mark may be a key.
  return hasReference(url) ? url.replace(/[?#].*$/, '') : publicUrl(url)
}

function stateOf(status: JsonObject | undefined): JsonObject {
  const state = status?.['state']
  return isJsonObject(state) ? state : {}
}

function wordOf(status: JsonObject): string {
  const state = stateOf(status)
  return state['needs'] === 'login' ? 'needs login' : (textOf(state, 'kind') ?? 'unknown')
}

function toolsOf(status: JsonObject | undefined): string {
  const count = status?.['toolCount']
  if (typeof count !== 'number') return ''
  return count === 1 ? ', 1 tool' : `, ${count} tools`
}

function reasonOf(status: JsonObject | undefined): string | undefined {
  return textOf(stateOf(status), 'reason')
}
