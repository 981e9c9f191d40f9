import { expect, test } from 'vitest'
import { readConfig } from '../read-config.ts'

async function problemsOf(mcp: object): Promise<readonly string[]> {
  const read = await readConfig(JSON.stringify({ mcp }), { env: {}, directory: '/' })
  return read.kind === 'invalid' ? read.problems.map(({ message }) => message) : []
}

test('a server that /mcp is has to be configured', async () => {
  const servers = { files: { command: 'npx' } }
  expect(await problemsOf({ servers, endpoint: { server: 'files' } })).toEqual([])
  expect((await problemsOf({ servers, endpoint: { server: 'file' } })).join()).toContain('did you mean "files"?')
  expect((await problemsOf({ endpoint: { server: 'files' } })).join()).toContain('none is configured')
})
