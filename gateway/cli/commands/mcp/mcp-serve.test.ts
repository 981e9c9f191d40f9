import { expect, test } from 'vitest'
import { cliUnderTest } from '../../testing/cli-under-test.ts'

test('mcp-serve serves as the agent and session that are named, and prints nothing itself', async () => {
  const { run, servedStdio, stateDirectory } = await cliUnderTest()
  const ended = await run('mcp-serve', '--agent', 'research', '--session', 's1', '--config', 'other.json5')
  expect(ended).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  expect(servedStdio).toEqual([
    {
      stateDirectory,
      configFile: 'other.json5',
      headers: { 'x-drawbridge-agent': 'research', 'x-drawbridge-session': 's1' },
    },
  ])
})

test('an agent that no header can carry is refused', async () => {
  const { run, servedStdio } = await cliUnderTest()
  expect(await run('mcp-serve', '--agent', 'two words')).toMatchObject({ exitCode: 2 })
  expect(servedStdio).toEqual([])
})
