import { expect, test } from 'vitest'
import type { NewArtifact } from '../artifacts.ts'
import { jsonBytes } from './cut-text.ts'
import { keepValue } from './keep-value.ts'

const BOUND = { caller: { tenant: 't', agent: 'default' }, maxBytes: 200 }
const ARTIFACT = { id: 'art_1', bytes: 400, mimeType: 'text/plain', preview: '' }

test('a value within the bound stays, and a larger one is put aside as what it is', async () => {
  const put: NewArtifact[] = []
  const artifacts = {
    put: async (_caller: object, artifact: NewArtifact) => {
      put.push(artifact)
      return ARTIFACT
    },
  }
  const deps = { artifacts, warn: () => {} }
  expect(await keepValue('x'.repeat(200), BOUND, deps)).toEqual({ kind: 'whole' })
  expect(await keepValue('é'.repeat(101), BOUND, deps)).toEqual({ kind: 'kept', artifact: ARTIFACT })
  expect(await keepValue([1, 'x'.repeat(200)], BOUND, deps)).toMatchObject({ kind: 'kept' })
  expect(put.map(({ mimeType }) => mimeType)).toEqual(['text/plain', 'application/json'])
})

test('where nothing can be kept its first part is left within the bound, and an operator is told why', async () => {
  const warned: unknown[] = []
  const artifacts = { put: () => Promise.reject(new Error('ENOSPC')) }
  const kept = await keepValue({ rows: 'x'.repeat(5_000) }, BOUND, { artifacts, warn: (...said) => warned.push(said) })
  expect(kept).toMatchObject({ kind: 'cut', value: { preview: expect.stringContaining('{"rows":"xx') } })
  expect(jsonBytes(kept.kind === 'cut' ? kept.value : '')).toBeLessThanOrEqual(BOUND.maxBytes)
  expect(warned).toEqual([[expect.stringContaining('could not be kept'), new Error('ENOSPC')]])
})
