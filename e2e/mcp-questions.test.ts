import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GatewayProcess } from './testing/gateway-process.ts'
import { ROOT, startGateway } from './testing/gateway-process.ts'
import { waitUntil } from './testing/wait-until.ts'

let gateway: GatewayProcess
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-questions-'))
  const server = (file: string) => ({
    command: process.execPath,
    args: [path.join(ROOT, 'catalog/sources/mcp/fixtures', file)],
  })
  const older = { ...server('asking-v1.mjs'), roots: [folder, 'beside the file'] }
  gateway = await startGateway({ config: { mcp: { servers: { older, newer: server('asking-v2.mjs') } } } })
  await waitUntil('both servers are there', async () => {
    const { tools } = (await gateway.api.get('/v1/catalog')).body
    return ['mcp:older:confirm', 'mcp:newer:confirm'].every((id) =>
      tools.some((tool: { id: string }) => tool.id === id),
    )
  })
})

afterAll(async () => {
  await gateway?.remove()
  await rm(folder, { recursive: true, force: true })
})

async function decide(decision: string): Promise<Record<string, unknown>> {
  const approval = await waitUntil('the question is put before a person', async () => {
    const { approvals } = (await gateway.api.get('/v1/approvals?state=pending')).body
    return approvals[0]
  })
  expect((await gateway.api.post(`/v1/approvals/${approval.id}/decision`, { decision })).status).toBe(200)
  return approval
}

test.each(['older', 'newer'])('a question of a server of the %s revision is answered by a decision', async (server) => {
  const asking = gateway.api.call(`mcp:${server}:confirm`, {})
  expect(await decide('allow-once')).toMatchObject({
    title: 'confirm asks',
    description: 'Delete the folder?',
    toolId: `mcp:${server}:confirm`,
    allowedDecisions: ['allow-once', 'deny'],
  })
  expect(JSON.parse((await asking).body.value)).toMatchObject({ action: 'accept', content: { sure: true } })
  const again = gateway.api.call(`mcp:${server}:confirm`, {})
  await decide('deny')
  expect(JSON.parse((await again).body.value)).toMatchObject({ action: 'decline' })
})

test('a question that takes more than a yes is declined at once', async () => {
  expect(JSON.parse((await gateway.api.call('mcp:older:form', {})).body.value)).toEqual({ action: 'decline' })
})

test('roots are absolute addresses, also of folders beside the configuration', async () => {
  const { roots } = JSON.parse((await gateway.api.call('mcp:older:roots', {})).body.value)
  expect(roots.map(({ uri }: { uri: string }) => uri)).toEqual([
    pathToFileURL(folder).href,
    pathToFileURL(path.join(gateway.folder, 'beside the file')).href,
  ])
})
