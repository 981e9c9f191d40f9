import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { BannerFacts } from './banner.ts'
import { bannerText } from './banner.ts'

function facts(given: Partial<BannerFacts> = {}): BannerFacts {
  return {
    version: '1.2.3',
    url: 'http://127.0.0.1:8790',
    stateDirectory: '/home/ada/.drawbridge',
    configFile: undefined,
    chatToken: undefined,
    tokenFile: '/home/ada/.drawbridge/tokens',
    hasEnvironmentToken: false,
    model: 'scripted/scripted',
    isScripted: true,
    mode: { configured: 'code', inForce: 'code' },
    sources: [{ source: 'plugin', owner: 'demo', toolCount: 22, state: { kind: 'ready', sinceMs: 0 } }],
    problems: [],
    shown: { tools: 1, bytes: 1248, directTools: 22, directBytes: 12_045 },
    ...given,
  }
}

test('a new token is shown, and stands in the command to try', () => {
  const text = bannerText(facts({ chatToken: 'db_new' }), 'npx --no drawbridge')
  expect(text).toContain('token     db_new (chat; shown once, kept in /home/ada/.drawbridge/tokens)')
  expect(text).toContain('Authorization: Bearer db_new"')
  expect(text).toContain('none yet (defaults; "npx --no drawbridge config set" makes one)')
})

test('later it is read by the command that is there, whatever the name of the state directory', async () => {
  const stateDirectory = `/tmp/Ada's "Zustände"/$HOME \\`
  const text = bannerText(facts({ stateDirectory }), 'drawbridge')
  expect(text).not.toContain('db_')
  const asked = /"Authorization: Bearer \$\(.*\)"/.exec(text)?.[0] ?? ''
  const script = `drawbridge() { printf '%s' "$4"; }; printf '%s' ${asked}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script])
  expect(stdout).toBe(`Authorization: Bearer ${stateDirectory}`)
})

test('a mode that is not possible, a source that is down and a plugin that failed are said', () => {
  const text = bannerText(
    facts({
      mode: { configured: 'code', inForce: 'tools', reason: 'no worker starts' },
      sources: [
        { source: 'mcp', owner: 'files', toolCount: 0, state: { kind: 'connecting', sinceMs: 0 } },
        { source: 'plugin', owner: '/p/bad.ts', toolCount: 0, state: { kind: 'down', sinceMs: 0, reason: 'boom' } },
      ],
      problems: ['/p/bad.ts: its register failed: boom'],
    }),
    'drawbridge',
  )
  expect(text).toContain('notice    mode "code" is not possible: no worker starts')
  expect(text).toContain('tools     0 from mcp files (connecting), 1 plugin down\n')
  expect(text).toContain('problem   /p/bad.ts: its register failed: boom')
})
