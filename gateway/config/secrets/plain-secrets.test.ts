import { expect, test } from 'vitest'
import { formatPath } from '../document/config-path.ts'
import { configFileSchema } from '../read-config.ts'
import { findPlainSecrets } from './plain-secrets.ts'

test('secrets that stand in the file are found, whatever they are called, and references are none', () => {
  const provider = { api: 'openai-chat', baseUrl: 'https://x' }
  const providers = {
    plain: { ...provider, apiKey: 'sk-1', headers: { 'x-api-key': 'k', 'x-title': 'Drawbridge' } },
    referred: { ...provider, apiKey: '${KEY}', headers: { authorization: 'Bearer ${KEY}' } },
    elsewhere: { ...provider, apiKey: { command: ['pass', 'show', 'key'] } },
  }
  const servers = {
    files: { command: 'x', args: ['--api-key', 'k', '--root', '.'], env: { GITHUB_TOKEN: 'ghp', HOME: '/' } },
  }
  const found = findPlainSecrets(configFileSchema, { models: { providers }, mcp: { servers } })
  expect(found.map(({ path, takesSource }) => [formatPath(path), takesSource])).toEqual([
    ['models.providers.plain.apiKey', true],
    ['models.providers.plain.headers.x-api-key', true],
    ['mcp.servers.files.args[1]', false],
    ['mcp.servers.files.env.GITHUB_TOKEN', true],
  ])
})
