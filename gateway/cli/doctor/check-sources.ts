import path from 'node:path'
import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { objectsOf, textOf } from '../commands/failed-answer.ts'
import { findingText } from '../commands/doctor/finding-text.ts'
import { ownerOf } from '../../config/checking/known-tools.ts'
import { findLoginVault } from '../mcp-desk.ts'
import type { DoctorFinding } from './doctor-finding.ts'
import { fine } from './doctor-finding.ts'
import type { Examined } from './examined.ts'

/** Whether every MCP server answers and every plugin registers. */
export async function checkSources(examined: Examined): Promise<readonly DoctorFinding[]> {
  const { gateway, loaded, deps, stateDirectory } = examined
  if (gateway.kind === 'mute') return []
  if (gateway.kind === 'running') return findingsOf(gateway.catalog)
  if (loaded.kind === 'invalid') return []
  const { trySources } = await import('./try-sources.ts')
  const directory = path.dirname(loaded.source ?? path.join(stateDirectory, 'drawbridge.json5'))
  const logins = await findLoginVault(stateDirectory, deps)
  return findingsOf(await trySources({ config: loaded.config, directory, ...(logins && { logins }), deps }))
}

/** Of what `/v1/catalog` says, or the same made here. */
function findingsOf(catalog: JsonObject): readonly DoctorFinding[] {
  const problems = objectsOf(catalog['pluginProblems'])
  const owners = new Set(problems.map((problem) => textOf(problem, 'owner')))
  const sources = objectsOf(catalog['sources'])
  // What is wrong with a plugin is told once, with its own words.
  const told = sources.filter((source) => source['source'] === 'mcp' || !owners.has(textOf(source, 'owner')))
  const quarantined = objectsOf(catalog['quarantined'])
  return [
    ...told.map(ofSource),
    ...problems.map(ofPlugin),
    ...quarantined.map(ofTool),
    ...objectsOf(catalog['findings']).map(ofFindings),
  ]
}

function ofSource(source: JsonObject): DoctorFinding {
  const check = source['source'] === 'mcp' ? 'mcp' : 'plugins'
  const owner = textOf(source, 'owner') ?? ''
  const state = isJsonObject(source['state']) ? source['state'] : {}
  const { toolCount = 0 } = source
  if (state['kind'] === 'ready')
    return fine(check, `${owner} is ready with ${toolCount === 1 ? '1 tool' : `${JSON.stringify(toolCount)} tools`}`)
  if (state['needs'] === 'login') {
    const fix = `run "drawbridge mcp login ${owner}"`
    return { check, level: 'problem', message: `${owner}: nobody is logged in, or the login has run out`, fix }
  }
  const reason = textOf(state, 'reason') ?? 'it does not answer in time'
  const at = check === 'mcp' ? `mcp.servers.${owner}` : `plugins.entries.${owner}`
  const fix = `correct ${at} or what it names; or take it out with "drawbridge config unset ${at}"`
  return { check, level: 'problem', message: `${owner}: ${reason}`, fix }
}

function ofPlugin(problem: JsonObject): DoctorFinding {
  const tool = textOf(problem, 'tool')
  const what = tool === undefined ? textOf(problem, 'path') : `tool "${tool}" of ${textOf(problem, 'path')}`
  const message = `${what}: ${textOf(problem, 'reason')}`
  return {
    check: 'plugins',
    level: 'problem',
    message,
    fix: 'correct the plugin or its settings; it loads again by itself',
  }
}

function ofTool(tool: JsonObject): DoctorFinding {
  const id = textOf(tool, 'id') ?? ''
  const message = `tool ${id} is quarantined: ${textOf(tool, 'reason')}`
  return {
    check: id.startsWith('mcp:') ? 'mcp' : 'plugins',
    level: 'warning',
    message,
    fix: tool['awaits'] === 'accept' ? acceptFix(id) : 'correct it where it is made; nobody can call it as it is',
  }
}

/** What its text says to a model; the first of it. */
function ofFindings(tool: JsonObject): DoctorFinding {
  const id = textOf(tool, 'id') ?? ''
  const findings = objectsOf(tool['findings'])
  const [first] = findings
  const more = findings.length > 1 ? `, and ${findings.length - 1} more` : ''
  const message = `screening of ${id} found ${findingText(first)}${more}`
  const fix = `read what it says with "drawbridge explain ${id}"; deny it, or take its server out, unless you trust it`
  return { check: 'mcp', level: 'warning', message, fix }
}

function acceptFix(id: string): string {
  const { owner } = ownerOf(id)
  return `look at it with "drawbridge mcp accept ${owner}"`
}
