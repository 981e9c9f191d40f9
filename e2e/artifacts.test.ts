import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { startGateway } from './testing/gateway-process.ts'

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.remove())

describe('a value that is too large for the model', () => {
  test('becomes an artifact that a later program and a client can page', async () => {
    const run = await gateway.api.run("return 'ä'.repeat(100_000)")
    expect(run.status).toBe('completed')
    const [artifact] = run.artifacts
    expect(artifact).toMatchObject({ bytes: 200_000, mimeType: 'text/plain' })
    expect(run.value).toMatchObject({ artifact: artifact.id, bytes: 200_000 })
    const paged = await gateway.api.run(`
      let text = ''
      for (let offset = 0; offset !== undefined; ) {
        const part = await tools.artifact('${artifact.id}', { offset, bytes: 50_001 })
        text += part.text
        offset = part.nextOffset
      }
      return [text.length, text === 'ä'.repeat(100_000)]`)
    expect(paged.value).toEqual([100_000, true])
    const part = await gateway.api.get(`/v1/artifacts/${artifact.id}?offset=199999&bytes=10`)
    expect(part.body).toMatchObject({ offset: 199_999, bytes: 200_000 })
  })

  test('and an artifact that is not there is a clear error', async () => {
    const run = await gateway.api.run("return await tools.artifact('art_nothing').catch((e) => [e.code, e.message])")
    expect(run.value).toEqual([
      'invalid-input',
      expect.stringMatching(/^there is no artifact "art_nothing"; ids stand in/),
    ])
  })
})
