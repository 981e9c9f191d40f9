import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')
const README = await readFile(path.join(ROOT, 'README.md'), 'utf8')
const ADDRESS = 'http://127.0.0.1:8790'
const START_BUDGET_MS = 120_000
const run = promisify(execFile)

/** Code blocks of one language, in their order. */
function blocks(language: string): readonly string[] {
  return [...README.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '')
}

/** Run by the test runner itself, or tested by the start of this file. */
const STARTING = ['npm start\n', 'npm test\n']

let folder = ''
let url = ''
/** As the reader's shell holds it from the first request on. */
let token = ''
let gateway: ChildProcess | undefined
/** Where `npx` is looked for first, once the real one has shown that it finds the command. */
let shortcut: string | undefined
const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ...(shortcut !== undefined && { PATH: `${shortcut}${path.delimiter}${process.env['PATH'] ?? ''}` }),
  DRAWBRIDGE_STATE_DIR: path.join(folder, 'state'),
  DRAWBRIDGE_CONFIG: path.join(folder, 'drawbridge.json5'),
  OPENAI_API_KEY: '',
})

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-readme-'))
  await writeFile(path.join(folder, 'drawbridge.json5'), '{}\n')
  url = await startAsTheReadmeSays()
  token = (await runBlock('npx drawbridge tokens show\n')).trim()
  shortcut = await writeShortcut()
}, START_BUDGET_MS)

afterAll(async () => {
  if (gateway?.pid !== undefined && gateway.exitCode === null) {
    const ended = new Promise((resolve) => gateway?.once('exit', resolve))
    // As Ctrl-C in a terminal: npm, its shell and the gateway all hear it.
    process.kill(-gateway.pid, 'SIGINT')
    await ended
  }
  await rm(folder, { recursive: true, force: true })
})

/** `npm start`, on a free port so that it meets no other gateway; gives the address of its banner. */
function startAsTheReadmeSays(): Promise<string> {
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...environment(), DRAWBRIDGE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  gateway = child
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const address = /address\s+(http:\S+)[\s\S]*Try:/.exec(output)?.[1]
      if (address !== undefined) resolve(address)
    })
    child.once('exit', () => reject(new Error(`npm start ended:\n${output}`)))
  })
}

/** An `npx` that starts the command of this checkout itself; npm's takes a second of the processor to find it each time. */
async function writeShortcut(): Promise<string> {
  const home = path.join(folder, 'bin')
  const command = `exec "${process.execPath}" "${path.join(ROOT, 'scripts/drawbridge.mjs')}" "$@"`
  const real = (await run('sh', ['-c', 'command -v npx'])).stdout.trim()
  const script = `#!/bin/sh\nif [ "$1" = drawbridge ]; then shift; ${command}; fi\nexec "${real}" "$@"\n`
  await mkdir(home)
  await writeFile(path.join(home, 'npx'), script, { mode: 0o755 })
  return home
}

/** Runs a block as it stands, in the checkout, against the gateway of this test; the token is carried along. */
async function runBlock(block: string): Promise<string> {
  const here = block.replaceAll(ADDRESS, url).replaceAll('$PWD', folder)
  const options = { cwd: ROOT, env: { ...environment(), TOKEN: token } }
  const { stdout } = await run('bash', ['-c', `set -eu\n${here}`], options)
  return stdout
}

const asked = blocks('sh').filter((block) => !STARTING.includes(block))

describe('the README', () => {
  test('starts with the two commands', () => {
    expect(blocks('sh').slice(0, 2)).toEqual(STARTING)
  })

  test.each(asked.map((block) => [block.split('\n', 1)[0] ?? '', block]))('runs: %s', async (_title, block) => {
    if (block.includes('/my-plugins')) await writeReadmePlugin()
    const stdout = await runBlock(block)
    if (block.includes('overdue?')) expect(stdout).toContain('inv-1002')
    if (block.includes('Refund a payment')) expect(stdout).toMatch(/apr_[0-9a-f]{16}/)
    if (block.includes('approvals resolve'))
      expect(stdout).toMatch(/^apr_[0-9a-f]{16} is allowed-once: .*refund_payment$/m)
    if (block.includes('"allow-always"')) expect(stdout).toMatch(/"id":"gr_[0-9a-f]{16}".*"state":"active"/)
    if (block.includes('/v1/sessions/refund')) await waitForRefund(block)
    if (block.includes('/log')) expect(stdout).toContain('"event":"turn-finished"')
    if (block.includes('tools search')) expect(stdout).toContain('plugin:demo:create_invoice')
    if (block.includes('run -')) expect(stdout.trim().split('\n').at(-1)).toBe('2')
    expect(stdout).not.toContain('"error"')
  })

  test('its MCP server and its plugin have brought their tools', async () => {
    const ids = await waitForTools(['mcp:files:list_directory', 'plugin:weather:forecast'])
    expect(ids).toEqual(expect.arrayContaining(['mcp:files:list_directory', 'plugin:weather:forecast']))
    expect(ids).not.toContain('mcp:files:write_file')
  })

  test("its model's program gives a line of each invoice", async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ code: blocks('js')[0] })
    const answer = await fetch(`${url}/v1/runs`, { method: 'POST', headers, body })
    const value = expect.arrayContaining([expect.stringMatching(/^inv-1002, due \d{4}-\d\d-\d\d$/)])
    expect(await answer.json()).toMatchObject({ status: 'completed', value })
  })

  test('its openai program prints the answer', async () => {
    const program = blocks('ts').find((block) => block.includes("from 'openai'")) ?? ''
    const file = path.join(ROOT, 'node_modules', '.readme-example.mts')
    await writeFile(file, program.replaceAll(ADDRESS, url))
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module-typescript', '--eval', await readFile(file, 'utf8')],
      {
        cwd: ROOT,
        env: { ...environment(), TOKEN: token },
      },
    )
    await rm(file)
    expect(stdout).toContain('inv-1002')
  })

  test('its table of settings and its comparison are there', () => {
    expect(README).toMatch(/\| tools declared\s+\|\s+36 \|\s+1 \|\s+3 \|/)
  })
})

/** The plugin of the README, in the folder that stands for the reader's. */
async function writeReadmePlugin(): Promise<void> {
  const plugin = blocks('ts').find((block) => block.includes('definePlugin')) ?? ''
  const home = path.join(folder, 'my-plugins')
  await mkdir(home, { recursive: true })
  await writeFile(path.join(home, 'weather.ts'), plugin)
}

/** The turn goes on in the background: who looks at once may still see that it waits. */
async function waitForRefund(block: string): Promise<void> {
  let stdout = ''
  for (let look = 0; look < 100 && !stdout.includes('1114000'); look += 1) stdout = await runBlock(block)
  // Of 1,134,000 cents that were paid, 20,000 have gone back.
  expect(stdout).toContain('1114000')
}

async function waitForTools(wanted: readonly string[]): Promise<readonly string[]> {
  let ids: readonly string[] = []
  for (let look = 0; look < 100 && !wanted.every((id) => ids.includes(id)); look += 1) {
    const listed = JSON.parse(await runBlock('npx drawbridge tools list --json\n'))
    ids = listed.tools.map((tool: { readonly id: string }) => tool.id)
  }
  return ids
}
