import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import OpenAI from 'openai'
import type { JsonObject } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { writeCatalogPlugin } from './catalog-plugin.ts'
import type { ComparedMode, ModeEvidence } from './comparison.ts'
import type { Seen } from './gather-evidence.ts'
import { gatherEvidence } from './gather-evidence.ts'
import type { GatewayProcess } from './gateway-process.ts'
import { startGateway } from './gateway-process.ts'
import type { RecordingProxy } from './recording-proxy.ts'
import { GREETING, TASK } from './task.ts'

interface ModeRun {
  readonly mode: ComparedMode
  /** Tools of the plugin. */
  readonly tools: number
  /** Temporary, removed by the caller. */
  readonly folder: string
  readonly proxy: RecordingProxy
}

/** Starts a gateway in this mode, gives it the task as a client would, and gathers what was seen. */
export async function runMode({ mode, tools, folder, proxy }: ModeRun): Promise<ModeEvidence> {
  const home = await mkdtemp(path.join(folder, `${mode}-`))
  await mkdir(path.join(home, 'plugins'))
  const callsFile = path.join(home, 'calls.jsonl')
  await writeFile(callsFile, '')
  const plugin = await writeCatalogPlugin(path.join(home, 'plugins'), tools, callsFile)
  const gateway = await startGateway({ folder: home, config: configFor({ mode, plugin, providerUrl: proxy.url }) })
  try {
    await ask(gateway, 'greeting', GREETING)
    proxy.take()
    const turn = await ask(gateway, `compare-${mode}`, TASK.message)
    const requests = proxy.take().filter((request) => request.path.endsWith('/chat/completions'))
    const log = await readLog(gateway, `compare-${mode}`)
    const ran = (await readFile(callsFile, 'utf8')).split('\n').filter((line) => line !== '')
    return gatherEvidence({ mode, turn, requests, log, ran })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${mode}: ${reason}; ${gateway.condition()}`, { cause: error })
  } finally {
    await gateway.stop()
    await rm(home, { recursive: true, force: true })
  }
}

/** Only the written plugin, and the mock as the one provider. */
function configFor(given: { readonly mode: ComparedMode; readonly plugin: string; readonly providerUrl: string }) {
  return {
    models: {
      default: 'mock/mock-model',
      providers: { mock: { api: 'openai-chat', baseUrl: `${given.providerUrl}/v1`, apiKey: 'mock' } },
    },
    tools: { toolSearch: { mode: given.mode } },
    plugins: { paths: [given.plugin], entries: { demo: { enabled: false } } },
  }
}

async function ask(gateway: GatewayProcess, session: string, content: string): Promise<Seen['turn']> {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.token, maxRetries: 0 })
  const startMs = performance.now()
  const completion = await client.chat.completions.create(
    { model: 'drawbridge', messages: [{ role: 'user', content }] },
    { headers: { 'x-drawbridge-session': session } },
  )
  return { answer: completion.choices[0]?.message.content ?? '', wallMs: Math.round(performance.now() - startMs) }
}

async function readLog(gateway: GatewayProcess, session: string): Promise<readonly JsonObject[]> {
  const answer = await fetch(`${gateway.url}/v1/sessions/${session}/log`, {
    headers: { authorization: `Bearer ${gateway.token}` },
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`the session log was refused with ${answer.status}: ${text}`)
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line): unknown => JSON.parse(line)).filter(isJsonObject)
}
