import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../json.ts'
import type { AskPerson, ToolQuestion } from '../../../../question.ts'
import type { RecordedSource } from '../../fixtures/recorded-source.ts'
import { startSource, textOf } from '../../fixtures/recorded-source.ts'
import { QUESTIONS_PER_CALL_MAX, QUESTIONS_PER_WINDOW_MAX } from '../../limits.ts'
import type { McpServerConfig } from '../../server-config.ts'

const fixture = (file: string) => path.join(import.meta.dirname, '../../fixtures', file)
const caller = { tenant: 't', agent: 'default' }

/** Servers that tests share, since each is a process; a test with settings has its own. */
const shared = new Map<string, RecordedSource>()

afterAll(async () => {
  for (const recorded of shared.values()) await recorded[Symbol.asyncDispose]()
})

async function withAsking(
  file: string,
  use: (recorded: RecordedSource) => Promise<void>,
  settings?: Partial<McpServerConfig>,
): Promise<void> {
  const known = settings === undefined ? shared.get(file) : undefined
  if (known !== undefined) return use(known)
  const server = { ...settings, command: process.execPath, args: [fixture(file)] }
  const recorded = startSource({ servers: { asking: server } })
  if (settings === undefined) shared.set(file, recorded)
  await using own = settings === undefined ? undefined : recorded
  await (own ?? recorded).ready('asking')
  await use(recorded)
}

async function call(recorded: RecordedSource, name: string, ask?: AskPerson): Promise<string> {
  const execute = recorded.tools('asking').find((tool) => tool.name === name)?.execute
  if (execute === undefined) throw new Error(`there is no tool ${name}`)
  const { signal } = new AbortController()
  return textOf(await execute({}, { callId: 'call_1', caller, signal, ...(ask && { ask }) }))
}

function answering(content: JsonObject) {
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

test('while a person thinks the server may be silent for longer than a call may', async () => {
  await withAsking(
    'asking-v1.mjs',
    async (recorded) => {
      const ask: AskPerson = async () => {
        await pause(900)
        return { action: 'accept', content: { sure: true } }
      }
      expect(JSON.parse(await call(recorded, 'confirm', ask))).toMatchObject({ action: 'accept' })
      await expect(call(recorded, 'slow', ask)).rejects.toThrow('neither an answer nor progress for 300 ms')
    },
    { timeoutMs: 300 },
  )
})

describe('a server that asks too much', () => {
  test('of a thousand questions asks the first few of them', async () => {
    await withAsking(
      'asking-v1.mjs',
      async (recorded) => {
        const { asked, ask } = answering({ sure: true })
        expect(JSON.parse(await call(recorded, 'flood', ask))).toEqual({
          accept: QUESTIONS_PER_CALL_MAX,
          decline: 1_000 - QUESTIONS_PER_CALL_MAX,
        })
        expect(asked).toHaveLength(QUESTIONS_PER_CALL_MAX)
        for (let count = 0; count < 2; count += 1) await call(recorded, 'flood', ask)
        // Its calls have no more room together than a person has patience.
        await call(recorded, 'flood', ask)
        expect(asked).toHaveLength(QUESTIONS_PER_WINDOW_MAX)
      },
      {},
    )
  })

  test('in a megabyte of words asks nothing', async () => {
    await withAsking('asking-v1.mjs', async (recorded) => {
      const { asked, ask } = answering({ sure: true })
      expect(JSON.parse(await call(recorded, 'huge', ask))).toEqual({ action: 'decline' })
      expect(asked).toEqual([])
    })
  })

  test('after its call has ended asks nobody', async () => {
    await withAsking('asking-v1.mjs', async (recorded) => {
      const { asked, ask } = answering({ sure: true })
      await call(recorded, 'late', ask)
      await expect.poll(() => call(recorded, 'late_answer')).toBe('"decline"')
      expect(asked).toEqual([])
    })
  })

  test('and does not wait for the answer has its question taken back with the end of the call', async () => {
    await withAsking('asking-v1.mjs', async (recorded) => {
      let taken: unknown
      const ask: AskPerson = (_question, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            taken = signal.reason
            reject(signal.reason)
          })
        })
      expect(await call(recorded, 'abandon', ask)).toBe('"went on without"')
      expect(String(taken)).toContain('the call has ended')
    })
  })
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
    expect(JSON.parse(await call(recorded, 'offers'))).toEqual({ elicitation: { form: {}, url: {} }, sampling: {} })
  })
})

const hello = { role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'm', stopReason: 'endTurn' }

test.each(['asking-v1.mjs', 'asking-v2.mjs'])("an answer of the caller's model reaches %s", async (file) => {
  await withAsking(file, async (recorded) => {
    const { asked, ask } = answering(hello)
    expect(JSON.parse(await call(recorded, 'sample', ask))).toMatchObject(hello)
    expect(asked).toMatchObject([{ kind: 'sample', params: { maxTokens: 5, messages: [{ role: 'user' }] } }])
  })
})

test.each(['asking-v1.mjs', 'asking-v2.mjs'])(
  'a model that is not to answer is an error with a reason to %s',
  async (file) => {
    await withAsking(file, async (recorded) => {
      const ask: AskPerson = async () => ({ action: 'decline', reason: 'no model is configured' })
      const ended = call(recorded, 'sample', ask).catch((error: unknown) => String(error))
      expect(await ended).toContain('no model is configured')
    })
  },
)

test.each(['asking-v1.mjs', 'asking-v2.mjs'])('an address goes to the person as it is: %s', async (file) => {
  await withAsking(file, async (recorded) => {
    const { asked, ask } = answering({})
    expect(JSON.parse(await call(recorded, 'link', ask))).toMatchObject({ action: 'accept' })
    expect(asked).toEqual([{ kind: 'url', message: 'Log in first', url: 'https://bank.example/login?step=1' }])
  })
})

test('a page that has to be opened before the call is asked for, and the call made again after it', async () => {
  await withAsking(
    'asking-v1.mjs',
    async (recorded) => {
      const { asked, ask } = answering({})
      expect(await call(recorded, 'gate', ask)).toBe('"through the gate"')
      expect(asked).toEqual([{ kind: 'url', message: 'Log in first', url: 'https://bank.example/gate' }])
      const no: AskPerson = async () => ({ action: 'decline' })
      await expect(call(recorded, 'gate', no)).rejects.toThrow('log in first')
    },
    {},
  )
})

test('what the configuration switches off is not offered, and a server that asks all the same goes on', async () => {
  await withAsking(
    'asking-v1.mjs',
    async (recorded) => {
      const { asked, ask } = answering({ sure: true })
      expect(await call(recorded, 'sample', ask)).toContain('-32601')
      expect(await call(recorded, 'confirm', ask)).toMatch(/elicitation|-32601/)
      expect(JSON.parse(await call(recorded, 'offers'))).toEqual({})
      expect(asked).toEqual([])
    },
    { sampling: 'off', elicitation: 'off' },
  )
})
