import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIsolatePool } from '../pool.ts'
import type { ProgramHost } from '../program-host.ts'
import type { HostileProgram } from './hostile-program.ts'
import { abuse } from './hostile-program.ts'

const own = readPrograms(path.join(import.meta.dirname, 'programs.jsonl'))
const shared = readPrograms(path.resolve(import.meta.dirname, '../../../../shared/attacks/dev.jsonl'))

let pool: ProgramHost
beforeAll(async () => {
  pool = await createIsolatePool({ workersMin: 3 })
})
afterAll(() => pool.close())

describe('hostile programs of our own', () => {
  test.concurrent.each(own)('$id ends as it must, and so does its neighbour', async (program) => {
    expect(await abuse(pool, program)).toEqual([])
  })
})

describe.skipIf(shared.length === 0)('hostile programs kept beside the repository', () => {
  test.concurrent.each(shared)('$id ends as it must, and so does its neighbour', async (program) => {
    expect(await abuse(pool, program)).toEqual([])
  })
})

function readPrograms(file: string): readonly HostileProgram[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
