import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedPackages } from './testing/seed-packages.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const TOKEN = 'package-test-0123456789abcdef0123456789abcdef'
/** Building takes seconds; installing fetches what npm's cache lacks. */
const INSTALL_BUDGET_MS = 240_000
/** The compiler takes seconds alone, and half a minute beside other tests. */
const TYPES_BUDGET_MS = 120_000
const START_BUDGET_MS = 60_000

const run = promisify(execFile)

let folder = ''
let installed = ''
let gateway: ChildProcess | undefined
let url = ''

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-package-'))
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT })
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
  const home = path.join(folder, 'home')
  await mkdir(home)
  await writeFile(path.join(home, 'package.json'), '{ "name": "elsewhere", "private": true }')
  seedPackages(ROOT, home)
  const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', ['install', ...flags, path.join(folder, tarball)], { cwd: home })
  installed = path.join(home, 'node_modules/drawbridge-gateway')
  await writePlugin(path.join(folder, 'plugins'))
  url = await serve(home)
}, INSTALL_BUDGET_MS)

afterAll(async () => {
  if (gateway !== undefined && gateway.exitCode === null) {
    const ended = new Promise((resolve) => gateway?.once('exit', resolve))
    gateway.kill('SIGTERM')
    await ended
  }
  await rm(folder, { recursive: true, force: true })
})

describe('the package, installed elsewhere', () => {
  test('holds built JavaScript without tests, fixtures or TypeScript', async () => {
    const files = await readdir(path.join(installed, 'dist'), { recursive: true })
    expect(files).toContain(path.join('gateway', 'main.js'))
    // Read when the first tool is screened, not imported.
    expect(files).toContain(path.join('catalog', 'sources', 'mcp', 'trust', 'model', 'weights.gz'))
    const stray = files.filter((file) => /\.test\.|abuse|fixtures|testing|(?<!\.d)\.ts$/.test(file))
    expect(stray).toEqual([])
    expect((await readdir(installed)).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', 'scripts'])
  })

  test('serves', async () => {
    const health = await fetch(`${url}/healthz`)
    expect(health.status).toBe(200)
  })

  test('runs a program in an isolate, over the bundled tools', async () => {
    const code = `const [hit] = await tools.search('find an employee by name', { limit: 1 })
      const found = await tools.call('plugin:demo:search_people', { query: 'ines' })
      return { hit: hit.id, names: found.people.map((person) => person.name) }`
    expect(await runProgram(code)).toMatchObject({
      status: 'completed',
      value: { hit: 'plugin:demo:search_people', names: ['Ines Carvalho'] },
    })
  })

  test('loads a plugin that imports the SDK by the name of the package', async () => {
    expect(await runProgram(`return await tools.call('plugin:greeter:greet', { name: 'Ada' })`)).toMatchObject({
      status: 'completed',
      value: 'Hello, Ada',
    })
  })

  test('gives plugin authors the types of the SDK', { timeout: TYPES_BUDGET_MS }, async () => {
    const file = path.join(folder, 'home', 'typed.ts')
    await writeFile(
      file,
      `import { definePlugin, Type } from 'drawbridge-gateway/plugin'
       export default definePlugin({ id: 'typed', register(api) {
         api.registerTool({
           name: 'a', description: 'b', parameters: Type.Object({ city: Type.String() }),
           execute: ({ city }) => { const length: number = city; return length },
         })
       } })`,
    )
    const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
    const flags = [
      '--noEmit',
      '--strict',
      '--ignoreConfig',
      '--types',
      '',
      '--target',
      'es2024',
      '--module',
      'nodenext',
    ]
    const checked = run(process.execPath, [tsc, ...flags, file], { cwd: path.dirname(file) })
    // The one error is the one that was written into the file: everything else was found.
    await expect(checked).rejects.toMatchObject({
      stdout: expect.stringMatching(
        /^typed\.ts\(\d+,\d+\): error TS2322: Type 'string' is not assignable to type 'number'\.\n$/,
      ),
    })
  })
})

async function writePlugin(to: string): Promise<void> {
  await mkdir(to)
  await writeFile(
    path.join(to, 'greeter.ts'),
    `import { definePlugin, Type } from 'drawbridge-gateway/plugin'
     export default definePlugin({
       id: 'greeter',
       register(api) {
         api.registerTool({
           name: 'greet',
           description: 'Greets someone by name.',
           parameters: Type.Object({ name: Type.String() }),
           execute: ({ name }) => 'Hello, ' + name,
         })
       },
     })`,
  )
}

/** Starts `drawbridge serve` as npm installed it, and gives its address. */
async function serve(home: string): Promise<string> {
  const config = path.join(folder, 'drawbridge.json5')
  await writeFile(config, JSON.stringify({ plugins: { paths: [path.join(folder, 'plugins')] } }))
  const command = path.join(home, 'node_modules/.bin/drawbridge')
  const child = spawn(command, ['serve', '--port', '0', '--json'], {
    cwd: home,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      DRAWBRIDGE_STATE_DIR: path.join(folder, 'state'),
      DRAWBRIDGE_CONFIG: config,
      DRAWBRIDGE_TOKEN: TOKEN,
    },
  })
  gateway = child
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event: unknown = line.startsWith('{') ? JSON.parse(line) : undefined
    if (typeof event === 'object' && event !== null && 'url' in event) resolve(String(event.url))
  })
  child.once('exit', (code) => reject(new Error(`drawbridge serve ended with ${code}:\n${errors}`)))
  setTimeout(() => reject(new Error(`drawbridge serve did not listen:\n${errors}`)), START_BUDGET_MS).unref()
  return await promise
}

async function runProgram(code: string): Promise<unknown> {
  const answer = await fetch(`${url}/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ code }),
  })
  return await answer.json()
}
