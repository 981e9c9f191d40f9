import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import type { ComparedMode, Comparison } from './comparison.ts'
import { findFaults } from './find-faults.ts'
import { answerAsModel } from './mock-model.ts'
import { startRecordingProxy } from './recording-proxy.ts'
import { runMode } from './run-mode.ts'

export interface CompareOptions {
  /** Tools of the catalog, the task's own among them. */
  readonly tools: number
  readonly progress: (message: string) => void
}

/** The same task through every mode, each in a gateway process of its own, and what is wrong with what was seen. */
export async function compare(
  options: CompareOptions,
): Promise<{ readonly comparison: Comparison; readonly faults: readonly string[] }> {
  const { tools, progress } = options
  const folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-compare-'))
  const mock = new LLMock({ port: 0, logLevel: 'silent' })
  mock.onMessage(/[^]*/, answerAsModel)
  await mock.start()
  const proxy = await startRecordingProxy(mock.url)
  const run = (mode: ComparedMode, count: number) => {
    progress(`${mode}: ${count} ${count === 1 ? 'tool' : 'tools'} ...`)
    return runMode({ mode, tools: count, folder, proxy })
  }
  try {
    const direct = await run('direct', tools)
    const code = await run('code', tools)
    const toolsMode = await run('tools', tools)
    const smallest = await run('code', 1)
    const comparison = { tools, modes: [direct.result, code.result, toolsMode.result] }
    const smallestCodeTools = smallest.toolsTexts[0] ?? ''
    return { comparison, faults: findFaults({ tools, direct, code, toolsMode, smallestCodeTools }) }
  } finally {
    await proxy.close()
    await mock.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
