import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')
const COMPARE_BUDGET_MS = 180_000

const run = promisify(execFile)

test(
  'the comparison stands: one target, one result, and a small request that does not grow',
  async () => {
    const script = path.join(ROOT, 'scripts/tool-search-gateway-e2e.ts')
    const { stdout } = await run(process.execPath, [script, '--json', '--tools', '120'], { cwd: ROOT })
    const { tools, modes } = JSON.parse(stdout)
    expect(tools).toBe(120)
    expect(modes).toMatchObject([
      { mode: 'direct', toolsDeclared: 120, searches: 0, describes: 0, calls: 1, steps: 2 },
      { mode: 'code', toolsDeclared: 1, searches: 1, describes: 1, calls: 1, steps: 2 },
      { mode: 'tools', toolsDeclared: 3, searches: 1, describes: 1, calls: 1, steps: 4 },
    ])
    const [direct, code, toolsMode] = modes
    expect(code.requestBytes).toBeLessThan(direct.requestBytes)
    expect(toolsMode.requestBytes).toBeLessThan(direct.requestBytes)
    expect(code.toolsBytes).toBeLessThan(2_500)
    expect(new Set([direct.finalTool, code.finalTool, toolsMode.finalTool])).toEqual(
      new Set(['plugin:depot:print_shipping_label']),
    )
    expect(new Set([direct.result, code.result, toolsMode.result]).size).toBe(1)
  },
  COMPARE_BUDGET_MS,
)

test('an option that makes no sense is refused with the way out', async () => {
  const script = path.join(ROOT, 'scripts/tool-search-gateway-e2e.ts')
  const refused = run(process.execPath, [script, '--tools', '9000'], { cwd: ROOT })
  await expect(refused).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--tools is "9000", not a whole number from 2 to 5000'),
  })
})
