import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'

/** `.ci/run` counts from this file. */
const resultFile = process.env['DRAWBRIDGE_TEST_RESULTS']

export default defineConfig({
  test: {
    include: ['{catalog,policy,bridge,plugins,gateway,scripts,e2e}/**/*.test.ts'],
    setupFiles: ['scripts/seed-properties.ts'],
    pool: 'forks',
    // Modules keep no state here, so that files can follow each other in one process: a process for each of them and its
    // imports took two minutes of processor time. Whatever needs a process of its own starts one.
    isolate: false,
    // On two cores the default is one worker, and half of the tests wait for processes of their own. Three took as long as
    // two, and what competed for the cores missed its time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: resultFile === undefined ? ['default'] : ['dot', ['json', { outputFile: resultFile }]],
  },
})
