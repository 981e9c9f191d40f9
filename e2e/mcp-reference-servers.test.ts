import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeUpstream } from './testing/fake-upstream.ts'
import { startFakeUpstream } from './testing/fake-upstream.ts'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { ROOT, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

const published = (name: string): string =>
  path.join(ROOT, 'node_modules/@modelcontextprotocol', `server-${name}`, 'dist/index.js')

/** What is asked of each server, and what its answer must hold. */
interface Asked {
  readonly server: string
  readonly tool: string
  readonly query: string
  readonly args: object
  readonly answer: string
}

let folder = ''
let gateway: GatewayProcess
let upstream: FakeUpstream

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-reference-'))
  await writeFile(path.join(folder, 'note.txt'), 'the ferry leaves at nine\n')
  upstream = await startFakeUpstream()
  const local = (name: string, ...args: readonly string[]) => ({
    command: process.execPath,
    args: [published(name), ...args],
  })
  const memory = { ...local('memory'), env: { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') } }
  gateway = await startGateway({
    config: {
      models: { default: 'fake/m', providers: { fake: { api: 'openai-chat', baseUrl: upstream.baseUrl } } },
      mcp: {
        servers: {
          everything: local('everything', 'stdio'),
          files: local('filesystem', folder),
          memory,
          thinking: local('sequential-thinking'),
        },
      },
    },
  })
  await waitUntil('the servers are connected', async () =>
    (await sources()).every(({ state }) => state.kind === 'ready'),
  )
})

afterAll(async () => {
  await gateway?.remove()
  await upstream?.close()
  await rm(folder, { recursive: true, force: true })
})

async function sources(): Promise<readonly { readonly state: { readonly kind: string } }[]> {
  const { body } = await gateway.api.get('/readyz')
  return body.sourceDetails.filter(({ source }: { source: string }) => source === 'mcp')
}

function asked(): readonly Asked[] {
  const entity = { name: 'Ada', entityType: 'person', observations: ['likes ferries'] }
  const thought = { thought: 'the ferry first', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
  return [
    { server: 'everything', tool: 'echo', query: 'echo a message', args: { message: 'ahoy' }, answer: 'ahoy' },
    {
      server: 'files',
      tool: 'read_text_file',
      query: 'read a text file',
      args: { path: path.join(folder, 'note.txt') },
      answer: 'the ferry leaves at nine',
    },
    {
      server: 'memory',
      tool: 'create_entities',
      query: 'create entities in the knowledge graph',
      args: { entities: [entity] },
      answer: 'likes ferries',
    },
    {
      server: 'thinking',
      tool: 'sequentialthinking',
      query: 'think step by step in a sequence',
      args: thought,
      answer: 'thoughtNumber',
    },
  ]
}

/** The text that the model was shown last, in this step. */
function shown(step: number): string {
  return upstream.messages(step).at(-1).content
}

describe('a model in code mode', () => {
  test('finds, describes and calls a tool of each reference server in one program', async () => {
    for (const { server, tool, query, args, answer } of asked()) {
      const code = `
        const hits = await tools.search(${JSON.stringify(query)}, { filter: { owner: '${server}' } })
        const hit = hits.find(({ name }) => name === '${tool}')
        const { inputSchema } = await tools.describe(hit.id)
        return { id: hit.id, type: inputSchema.type, value: await hit.call(${JSON.stringify(args)}) }`
      upstream.script({ calls: [{ name: 'tool_search_code', args: { code } }] }, { say: 'Done.' })
      expect((await gateway.api.chat('Do it')).body.choices[0].message.content).toBe('Done.')
      expect(upstream.toolNames(1)).toEqual(['tool_search_code'])
      const result = JSON.parse(shown(2))
      expect(result).toMatchObject({ status: 'completed', value: { id: `mcp:${server}:${tool}`, type: 'object' } })
      expect(JSON.stringify(result.value.value)).toContain(answer)
    }
  })

  test('carries what one server gives to the next', async () => {
    const code = `
      const note = await tools.files.read_text_file({ path: ${JSON.stringify(path.join(folder, 'note.txt'))} })
      const text = note.content ?? note
      await tools.memory.add_observations({ observations: [{ entityName: 'Ada', contents: [text.trim()] }] })
      const graph = await tools.memory.search_nodes({ query: 'Ada' })
      const copy = ${JSON.stringify(path.join(folder, 'graph.json'))}
      await tools.files.write_file({ path: copy, content: JSON.stringify(graph) })
      return tools.everything.echo({ message: text })`
    const run = await gateway.api.run(code)
    expect(run).toMatchObject({ status: 'completed', value: expect.stringContaining('the ferry leaves at nine') })
    expect(run.calls.map(({ outcome }: { outcome: string }) => outcome)).toEqual(Array(5).fill('ok'))
    expect(await readFile(path.join(folder, 'graph.json'), 'utf8')).toContain('the ferry leaves at nine')
  })
})

test('a program reads what a link of a result leads to, by its handle', async () => {
  const run = await gateway.api.run(`
    const { blocks } = await tools.everything['get-resource-links']({ count: 1 })
    const link = blocks.find(({ type }) => type === 'resource_link')
    const part = await tools.artifact(link.artifact)
    return { uri: link.uri, bytes: link.bytes, read: (part.text ?? atob(part.base64)).length }`)
  expect(run.status).toBe('completed')
  expect(run.value).toMatchObject({ uri: expect.stringContaining('demo://'), read: run.value.bytes })
  expect(run.artifacts).toHaveLength(1)
})

describe('a model in tools mode', () => {
  beforeAll(async () => {
    await gateway.cli('config', 'set', 'tools.toolSearch', '{ mode: "tools" }')
    await waitUntil(
      'tools mode is in force',
      async () => (await gateway.api.get('/readyz')).body.mode.inForce === 'tools',
    )
  })

  test('finds, describes and calls a tool of each reference server, a step each', async () => {
    for (const { server, tool, query, args, answer } of asked().filter((each) => each.server !== 'memory')) {
      const id = `mcp:${server}:${tool}`
      upstream.script(
        { calls: [{ name: 'tool_search', args: { query } }] },
        { calls: [{ name: 'tool_describe', args: { id } }] },
        { calls: [{ name: 'tool_call', args: { id, args } }] },
        { say: 'Done.' },
      )
      expect((await gateway.api.chat('Do it')).body.choices[0].message.content).toBe('Done.')
      expect(upstream.toolNames(1)).toEqual(['tool_search', 'tool_describe', 'tool_call'])
      expect(shown(2)).toContain(id)
      expect(shown(3)).toContain('inputSchema')
      expect(shown(4)).toContain(answer)
    }
  })

  test('sees what a program of before has remembered', async () => {
    const id = 'mcp:memory:read_graph'
    upstream.script({ calls: [{ name: 'tool_call', args: { id, args: {} } }] }, { say: 'Done.' })
    await gateway.api.chat('What do you know?')
    expect(shown(2)).toContain('likes ferries')
  })

  test('gets a picture as a handle, never as its bytes', async () => {
    const id = 'mcp:everything:get-tiny-image'
    upstream.script({ calls: [{ name: 'tool_call', args: { id, args: {} } }] }, { say: 'Done.' })
    await gateway.api.chat('Show it')
    expect(shown(2)).toMatch(/art_[0-9a-f-]{36}/)
    expect(shown(2)).not.toMatch(/[A-Za-z0-9+/]{200}/)
  })
})

test('over a restart the tools of a server that does not come back are found, and say so', async () => {
  await gateway.stop()
  // The same server as far as can be told, in an environment where it cannot start.
  const args = [published('sequential-thinking')]
  const broken = { command: process.execPath, args, env: { NODE_OPTIONS: '--require ./not-there.js' } }
  await gateway.writeConfig({ mcp: { servers: { thinking: broken } } })
  const again = await startGateway({ folder: gateway.folder })
  try {
    const { hits, notes } = await again.api.search('sequential thinking')
    expect(hits[0]).toMatchObject({ id: 'mcp:thinking:sequentialthinking', unavailable: expect.any(String) })
    const { body: described } = await again.api.get('/v1/tools/mcp:thinking:sequentialthinking')
    const { tools } = (await again.api.get('/v1/tools')).body
    const listed = tools.find(({ id }: { readonly id: string }) => id === 'mcp:thinking:sequentialthinking')
    const absent = expect.stringMatching(/^(still connecting|down)$/)
    expect([described.unavailable, listed?.unavailable]).toEqual([absent, absent])
    const printed = (await again.cli('tools', 'list')).stdout
    expect(printed).toMatch(/^mcp:thinking:sequentialthinking \(unavailable: server (still connecting|down)\)$/m)
    expect(notes.join('\n')).toMatch(/1 server (still connecting|down): thinking/)
    const thought = { thought: 'a', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
    const call = await again.api.call('mcp:thinking:sequentialthinking', thought)
    expect([call.status, call.body.outcome, call.body.effect]).toEqual([503, 'unavailable', 'none'])
    const { servers } = (await again.api.get('/v1/mcp/servers')).body
    expect(servers).toMatchObject([{ server: 'thinking', toolCount: 1 }])
  } finally {
    await again.stop()
  }
})
