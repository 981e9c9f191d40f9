import { expect, test } from 'vitest'
import { readConfig } from '../read-config.ts'

async function read(servers: object) {
  return readConfig(JSON.stringify({ mcp: { servers } }), { env: { SECRET: 'a-long-s3cret' }, directory: '/' })
}

test('a server in the shape of other programs is taken, with waits of single tools and a login of its own', async () => {
  const tools = { 'slow/tool': { timeoutMs: 5, deadlineMs: 6 } }
  const oauth = { clientId: 'a', clientSecret: '${SECRET}', callbackPort: 3118 }
  const found = await read({
    files: { type: 'stdio', command: 'npx', tools, deadlineMs: 7 },
    web: { type: 'sse', url: 'https://x.test/sse', oauth },
  })
  if (found.kind !== 'read') throw new Error(JSON.stringify(found.problems))
  const { files, web } = found.config.mcp.servers
  expect(files).toMatchObject({ command: 'npx', tools, deadlineMs: 7 })
  expect(web).toMatchObject({ oauth: { clientId: 'a', clientSecret: 'a-long-s3cret', callbackPort: 3118 } })
  expect(found.secrets).toContain('a-long-s3cret')
})

test('a variable or a header may be empty, and a secret that is one of its own may not', async () => {
  const found = await read({
    files: { command: 'x', env: { API_KEY: '' } },
    web: { url: 'https://x.test', headers: { 'x-a': '' } },
  })
  if (found.kind !== 'read') throw new Error(JSON.stringify(found.problems))
  expect(found.config.mcp.servers).toMatchObject({ files: { env: { API_KEY: '' } }, web: { headers: { 'x-a': '' } } })
  expect(found.secrets).not.toContain('')
  const refused = await read({ web: { url: 'https://x.test', oauth: { clientId: 'a', clientSecret: '' } } })
  expect(refused).toMatchObject({ kind: 'invalid', problems: [{ message: expect.stringContaining('not empty') }] })
})

test('an address that cannot be resolved here is told as that, and as nothing else', async () => {
  const found = await read({ web: { url: '${NOT_SET}/mcp' }, files: { command: '${NOT_SET}' } })
  const problems = found.kind === 'invalid' ? found.problems : found.unresolved
  expect(problems.map(({ kind, message }) => [kind, message.includes('NOT_SET is not set')])).toEqual([
    ['reference', true],
    ['reference', true],
  ])
})

test.each([
  [{ web: { url: 'https://x.test', oauth: { clientMetadataUrl: 'http://x.test/a.json' } } }, 'an https:// address'],
  [{ web: { url: 'https://x.test', oauth: { callbackPort: 0 } } }, 'callbackPort'],
  [{ files: { command: 'x', tools: { a: { timeoutMS: 1 } } } }, 'timeoutMs'],
  [{ files: { command: 'x', oauth: {} } }, 'oauth'],
  [{ files: { command: 'x', roots: Array(101).fill('.') } }, 'is a list of 101; expected a list of at most 100'],
])('%j is refused with what is wrong', async (servers, reason) => {
  const found = await read(servers)
  expect(found.kind === 'invalid' ? JSON.stringify(found.problems) : 'read').toContain(reason)
})
