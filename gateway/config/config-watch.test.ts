import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConfigPaths } from './config-paths.ts'
import { formatProblem } from './config-problem.ts'
import { watchConfig } from './config-watch.ts'
import { formatPath } from './document/config-path.ts'
import { loadConfig } from './load-config.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-watch-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a valid edit comes with what changed and what needs a restart', async () => {
  await watching('{}', async ({ write, next }) => {
    await write(`{ tools: { toolSearch: { mode: 'tools' }, deny: ['x'] }, gateway: { port: 1 } }`)
    expect(await next()).toEqual({
      changed: ['gateway.port', 'tools.deny', 'tools.toolSearch'],
      restart: ['gateway.port'],
    })
  })
})

test('an edit of comments and layout alone is no change', async () => {
  await watching('{ gateway: { port: 1 } }', async ({ write, next }) => {
    await write('{ // the same\n "gateway": { port: 0x1, }, }')
    await sleep(200)
    await write('{ gateway: { port: 2 } }')
    expect(await next()).toMatchObject({ changed: ['gateway.port'] })
  })
})

test('an invalid edit is reported, the last good configuration stays, and taking the edit back is told', async () => {
  await watching(`{ tools: { deny: ['a'] } }`, async ({ write, next }) => {
    await write(`{ tools: { deny: 'a' } }`)
    expect(await next()).toEqual([`tools.deny: is "a" (a string); expected a list; write it as a list, ["…"]`])
    await write(`{ tools: { deny: ['a'] } }`)
    expect(await next()).toEqual({ changed: [], restart: [] })
    await write(`{ tools: { deny: ['a', 'b'] } }`)
    expect(await next()).toMatchObject({ changed: ['tools.deny'] })
  })
})

test('a file that is made later, also with its folder, is taken up; the working directory goes before the state directory', async () => {
  await watching(undefined, async ({ paths, next }) => {
    await writeFile(path.join(paths.stateDirectory, 'drawbridge.json5'), '{ gateway: { port: 1 } }')
    expect(await next()).toMatchObject({ changed: ['gateway.port'] })
    await mkdir(paths.workingDirectory, { recursive: true })
    await writeFile(path.join(paths.workingDirectory, 'drawbridge.json5'), '{ gateway: { port: 2 } }')
    expect(await next()).toMatchObject({ changed: ['gateway.port'] })
  })
})

test('a file that is replaced by a rename, as editors do, is taken up each time', async () => {
  await watching('{}', async ({ file, next }) => {
    for (const port of [1, 2, 3]) {
      await writeFile(`${file}.new`, `{ gateway: { port: ${port} } }`)
      await rename(`${file}.new`, file)
      expect(await next()).toMatchObject({ changed: ['gateway.port'] })
    }
  })
})

test('a file that is written in several steps is read once it is whole', async () => {
  await watching(
    '{}',
    async ({ file, next }) => {
      const text = `{ tools: { deny: ['one', 'two'] } }`
      for (let end = 5; end < text.length; end += 10) {
        await writeFile(file, text.slice(0, end))
        await sleep(5)
      }
      await writeFile(file, text)
      expect(await next()).toMatchObject({ changed: ['tools.deny'] })
    },
    400,
  )
})

test('when the file goes, its rules stay in force and it is reported', async () => {
  await watching(`{ tools: { deny: ['a'] } }`, async ({ file, write, next }) => {
    await rm(file)
    expect(await next()).toEqual(['is gone; the configuration that it held stays in force until the gateway stops'])
    await write(`{ tools: { deny: ['b'] } }`)
    expect(await next()).toMatchObject({ changed: ['tools.deny'] })
  })
})

test('a named file that is not there is reported with the way out', async () => {
  const paths = { named: path.join(folder, 'none.json5'), workingDirectory: folder, stateDirectory: folder }
  expect(await loadConfig(paths, {})).toMatchObject({
    kind: 'invalid',
    problems: [{ message: 'does not exist; make it with "drawbridge config set", or name another file' }],
  })
})

test('what is there and cannot be read is never passed over for the next place, or for the defaults', async () => {
  const [workingDirectory, stateDirectory] = [
    await mkdtemp(path.join(folder, 'w-')),
    await mkdtemp(path.join(folder, 's-')),
  ]
  await writeFile(path.join(stateDirectory, 'drawbridge.json5'), '{}')
  const source = path.join(workingDirectory, 'drawbridge.json5')
  const read = async (named?: string) => {
    const loaded = await loadConfig({ workingDirectory, stateDirectory, ...(named !== undefined && { named }) }, {})
    return { source: loaded.source, said: loaded.kind === 'invalid' && loaded.problems.map(({ message }) => message) }
  }
  await symlink('nowhere.json5', source)
  expect(await read()).toEqual({ source, said: ['is a link to what is not there; mend the link, or take it away'] })
  await rm(source)
  await mkdir(source)
  expect(await read()).toEqual({ source, said: ['is a folder, not a file; name a file'] })
  expect(await read(source)).toEqual({ source, said: ['is a folder, not a file; name a file'] })
  expect((await read(os.devNull)).said).toEqual(['is a device or a pipe, not a file; name a file'])
  await rm(source, { recursive: true })
  expect((await read()).source).toBe(path.join(stateDirectory, 'drawbridge.json5'))
})

test('asked to, it reads a file that has not changed, and takes what a command gives by then', async () => {
  const secret = path.join(folder, 'renewed')
  await writeFile(secret, 'first')
  const text = `{ mcp: { servers: { a: { url: 'https://x.test', headers: { 'x-key': { file: ${JSON.stringify(secret)} } } } } } }`
  await watching(text, async ({ again, next }) => {
    await writeFile(secret, 'second')
    again()
    expect(await next()).toEqual({ changed: ['mcp.servers.a.headers.x-key'], restart: [] })
  })
})

test('asked to, it keeps what is connected with a secret that cannot be had by then, and takes the others', async () => {
  const [secret, locked] = [path.join(folder, 'renewed-too'), path.join(folder, 'locked')]
  await Promise.all([writeFile(secret, 'first'), writeFile(locked, 'open')])
  const server = (file: string) => `{ url: 'https://x.test', headers: { 'x-key': { file: ${JSON.stringify(file)} } } }`
  const text = `{ mcp: { servers: { a: ${server(secret)}, b: ${server(locked)} } } }`
  await watching(text, async ({ again, next, write }) => {
    await Promise.all([writeFile(secret, 'second'), rm(locked)])
    again()
    expect(await next()).toEqual({ changed: ['mcp.servers.a.headers.x-key'], restart: [] })
    // An edit is taken as it is.
    await write(`${text} `)
    expect(await next()).toMatchObject({ changed: expect.arrayContaining(['mcp.servers.b.headers.x-key']) })
  })
})

interface Watching {
  readonly paths: ConfigPaths
  readonly file: string
  readonly write: (text: string) => Promise<void>
  /** The next report: a change, or the problems. */
  readonly next: () => Promise<unknown>
  readonly again: () => void
}

async function watching(
  text: string | undefined,
  check: (watching: Watching) => Promise<void>,
  intervalMs = 20,
): Promise<void> {
  const place = await mkdtemp(path.join(folder, 'place-'))
  const paths = { workingDirectory: path.join(place, 'work'), stateDirectory: place }
  const file = path.join(place, 'drawbridge.json5')
  if (text !== undefined) await writeFile(file, text)
  const current = await loadConfig(paths, {})
  if (current.kind === 'invalid') throw new Error('the first configuration is invalid')
  const queue: unknown[] = []
  let waiting = Promise.withResolvers<unknown>()
  const report = (value: unknown): void => {
    queue.push(value)
    waiting.resolve(undefined)
  }
  const watch = watchConfig({
    paths,
    env: {},
    current,
    intervalMs,
    onChange: ({ changed, restart }) =>
      report({ changed: changed.map(formatPath).toSorted(), restart: restart.map(formatPath) }),
    onInvalid: ({ problems }) =>
      report(problems.map(({ position: _position, ...problem }) => formatProblem(problem, undefined))),
  })
  const next = async (): Promise<unknown> => {
    while (queue.length === 0) {
      await waiting.promise
      waiting = Promise.withResolvers()
    }
    return queue.shift()
  }
  try {
    await check({ paths, file, write: (content) => writeFile(file, content), next, again: () => watch.again() })
  } finally {
    watch.close()
  }
}
