import { spawn } from 'node:child_process'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

export type Leg = 'server' | 'client'

/** The scenarios of one revision, frozen by the suite. */
export interface Requirements {
  readonly revision: string
  readonly server: readonly RequiredScenario[]
  readonly client: readonly RequiredScenario[]
}

export interface RequiredScenario {
  readonly scenario: string
  /** Why it is run but does not count: `extension`, `pending` or `added-after-release`. */
  readonly notScored?: string
}

/** One thing that the suite looked at in a scenario. */
export interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

export interface SuiteRun {
  readonly leg: Leg
  readonly revision: string
  /** `--url` of a server, or `--command` of a client. */
  readonly target: readonly [flag: '--url' | '--command', value: string]
  /** This one alone; else all that the revision names. */
  readonly scenario?: string
}

/** The official suite, pinned in package.json. */
const PACKAGE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
const SUITE = path.join(path.dirname(PACKAGE), 'dist/index.js')
/** Nine processes of the same bundle: compiled once, each takes a quarter less to start. */
const COMPILE_CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache/conformance')
/** All clients of a set start at once; on a busy machine the last of them is ready late. */
const SCENARIO_BUDGET_MS = 120_000
/** Several times what the longest set takes on two busy cores. */
const SET_BUDGET_MS = 360_000

/** What a revision requires, asked of the suite itself. */
export async function readRequirements(revision: string): Promise<Requirements> {
  const text = await run(['list', '--requirements', revision])
  const legs: Record<Leg, RequiredScenario[]> = { server: [], client: [] }
  let section: Leg | undefined
  let notScored: string | undefined
  for (const line of text.split('\n')) {
    if (line.startsWith('Server scenarios')) section = 'server'
    else if (line.startsWith('Client scenarios')) section = 'client'
    else if (line.startsWith('Run and reported')) section = undefined
    notScored = /^ {2}([a-z-]+) \(\d+\):$/.exec(line)?.[1] ?? notScored
    const [, scenario, leg] = /^ +- (\S+)(?: \[(server|client)\])?/.exec(line) ?? []
    if (scenario === undefined) continue
    if (section !== undefined) legs[section].push({ scenario })
    else if (leg === 'server' || leg === 'client') legs[leg].push({ scenario, notScored: notScored ?? 'not scored' })
  }
  if (legs.server.length === 0 || legs.client.length === 0) throw new Error(`the suite lists no scenarios: ${text}`)
  return { revision, ...legs }
}

/** Runs one set to its end; the checks of each scenario by its name. */
export async function runSuite({ leg, revision, target, scenario }: SuiteRun): Promise<Map<string, readonly Check[]>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-conformance-'))
  try {
    const which = scenario === undefined ? ['--requirements', revision] : only(scenario, revision)
    await run([leg, ...target, ...which, '--timeout', String(SCENARIO_BUDGET_MS), '-o', folder])
    const found = new Map<string, readonly Check[]>()
    for await (const file of glob('**/checks.json', { cwd: folder })) {
      const checks: readonly Check[] = JSON.parse(await readFile(path.join(folder, file), 'utf8'))
      found.set(scenarioOf(file, leg), checks)
    }
    return found
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function only(scenario: string, revision: string): readonly string[] {
  return ['--scenario', scenario, '--spec-version', revision, '--force']
}

/** `auth/basic-cimd-2026-11-30T01-19-00-280Z/checks.json`; those of servers begin with `server-` twice over. */
function scenarioOf(file: string, leg: Leg): string {
  const folder = path.dirname(file).split(path.sep).join('/')
  const name = folder.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
  return leg === 'server' ? name.replace(/^server-/, '') : name
}

/** Its exit code says only that something failed; what did stands in the checks. */
function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [SUITE, ...args], {
      env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: SET_BUDGET_MS,
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
    }
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0 || code === 1) resolve(text)
      else reject(new Error(`the suite ended with ${code}: ${text.slice(-2_000)}`))
    })
  })
}
