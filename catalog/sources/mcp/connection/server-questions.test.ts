import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { AskPerson, ToolQuestion } from '../../../question.ts'
import type { RecordedSource } from '../fixtures/recorded-source.ts'
import { startSource, textOf } from '../fixtures/recorded-source.ts'

const fixture = (file: string) => path.join(import.meta.dirname, '../fixtures', file)
const caller = { tenant: 't', agent: 'default' }

async function withAsking(
  file: string,
  use: (recorded: RecordedSource) => Promise<void>,
  settings: { readonly roots?: readonly string[]; readonly timeoutMs?: number } = {},
): Promise<void> {
  const server = { command: process.execPath, args: [fixture(file)], ...settings }
  await using recorded = startSource({ servers: { asking: server } })
  await recorded.ready('asking')
  await use(recorded)
}

async function call(recorded: RecordedSource, name: string, ask?: AskPerson): Promise<string> {
  const execute = recorded.tools('asking').find((tool) => tool.name === name)?.execute
  if (execute === undefined) throw new Error(`there is no tool ${name}`)
  const { signal } = new AbortController()
  return textOf(await execute({}, { callId: 'call_1', caller, signal, ...(ask && { ask }) }))
}

function answering(content: ToolQuestion['schema']) {
  const asked: ToolQuestion[] = []
  const ask: AskPerson = async (question) => {
    asked.push(question)
    return { action: 'accept', content }
  }
  return { asked, ask }
}

describe.each(['asking-v1.mjs', 'asking-v2.mjs'])('a question of %s', (file) => {
  test("goes to the person of the call's caller, and the answer to the tool", async () => {
    await withAsking(file, async (recorded) => {
      const { asked, ask } = answering({ sure: true })
      expect(JSON.parse(await call(recorded, 'confirm', ask))).toMatchObject({
        action: 'accept',
        content: { sure: true },
      })
      expect(asked).toMatchObject([{ message: 'Delete the folder?', schema: { required: ['sure'] } }])
    })
  })
  test('is declined where the caller has nobody to ask', async () => {
    await withAsking(file, async (recorded) => {
      expect(JSON.parse(await call(recorded, 'confirm'))).toMatchObject({ action: 'decline' })
    })
  })
  test('is cancelled where nobody could be asked', async () => {
    await withAsking(file, async (recorded) => {
      const ask: AskPerson = () => Promise.reject(new Error('the store is locked'))
      expect(JSON.parse(await call(recorded, 'confirm', ask))).toMatchObject({ action: 'cancel' })
    })
  })
})

test("over a pipe a question is nobody's while several calls are under way: no other caller is ever asked", async () => {
  await withAsking('asking-v1.mjs', async (recorded) => {
    const { asked, ask } = answering({ sure: true })
    const other = call(recorded, 'slow', ask)
    expect(JSON.parse(await call(recorded, 'confirm', ask))).toMatchObject({ action: 'decline' })
    await other
    expect(asked).toEqual([])
  })
})

test('a result that asks belongs to its own call, whatever else is under way', async () => {
  await withAsking('asking-v2.mjs', async (recorded) => {
    const [mine, theirs] = [answering({ sure: true }), answering({ sure: false })]
    const [first, second] = await Promise.all([
      call(recorded, 'confirm', mine.ask),
      call(recorded, 'confirm', theirs.ask),
    ])
    expect([JSON.parse(first).content, JSON.parse(second).content]).toEqual([{ sure: true }, { sure: false }])
    expect([mine.asked.length, theirs.asked.length]).toEqual([1, 1])
  })
})

test('a question waits shorter than the server may be silent', async () => {
  await withAsking(
    'asking-v1.mjs',
    async (recorded) => {
      const { asked, ask } = answering({ sure: true })
      await call(recorded, 'confirm', ask)
      expect(asked[0]?.waitMs).toBeLessThan(4_000)
    },
    { timeoutMs: 4_000 },
  )
})

test('roots are those of the configuration, and offered only where there are some', async () => {
  const uri = pathToFileURL('/srv/my data').href
  await withAsking(
    'asking-v1.mjs',
    async (recorded) => {
      expect(JSON.parse(await call(recorded, 'roots'))).toMatchObject({ roots: [{ uri, name: 'my data' }] })
    },
    { roots: [uri] },
  )
  await withAsking('asking-v1.mjs', async (recorded) => {
    expect(JSON.parse(await call(recorded, 'offers'))).toEqual({ elicitation: { form: {} } })
  })
})

test('sampling is not offered, and a server that asks for it all the same gets an error and goes on', async () => {
  await withAsking('asking-v1.mjs', async (recorded) => {
    expect(await call(recorded, 'sample')).toContain('-32601')
    expect(JSON.parse(await call(recorded, 'offers'))).toEqual({ elicitation: { form: {} } })
  })
})
