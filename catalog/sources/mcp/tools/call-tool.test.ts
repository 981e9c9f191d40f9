import { expect, test } from 'vitest'
import type { RecordedSource } from '../fixtures/recorded-source.ts'
import { hostile, startSource, textOf, until } from '../fixtures/recorded-source.ts'

async function withHostile(
  use: (recorded: RecordedSource) => Promise<void>,
  options: { readonly maxMessageBytes?: number; readonly timeoutMs?: number } = {},
): Promise<void> {
  const { maxMessageBytes = 16 * 1024 * 1024, timeoutMs = 30_000 } = options
  const server = { ...hostile(), timeoutMs, env: { TOKEN: 's3cret-value' } }
  await using recorded = startSource({ servers: { hostile: server }, maxMessageBytes })
  await recorded.ready('hostile')
  await use(recorded)
}

test.each([
  ['twice', 'first'],
  ['other-id', 'mine'],
  ['text-id', 'id came as text'],
  ['wrong-json', 'after the wrong one'],
])('a server that answers "%s" gives its caller "%s", and the next call is not disturbed', async (tool, expected) => {
  await withHostile(async ({ text }) => {
    expect(await text('hostile', tool)).toBe(expected)
    expect(await text('hostile', 'echo', { n: 1 })).toBe('{"n":1}')
  })
})

test('a server that ignores a cancel and answers late disturbs nobody, and is not reported for it', async () => {
  await withHostile(async ({ callUntil, text, log }) => {
    const stop = new AbortController()
    const call = callUntil(stop.signal, 'hostile', 'ignores-cancel')
    await new Promise((resolve) => setTimeout(resolve, 50))
    stop.abort(new Error('the caller left'))
    await expect(call).rejects.toThrow('the caller left')
    await until(async () => (await text('hostile', 'list-cancelled')) !== '[]')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await text('hostile', 'echo', { n: 3 })).toBe('{"n":3}')
    expect(log.filter(({ message }) => message.includes('not waiting'))).toEqual([])
  })
})

test('a server that prints between its messages is understood all the same', async () => {
  await withHostile(async ({ text, log }) => {
    expect(await text('hostile', 'prints-in-between')).toBe('printed')
    expect(await text('hostile', 'prints-in-between')).toBe('printed')
    expect(log.filter(({ message }) => message.includes('stdout carries lines'))).toHaveLength(1)
  })
})

test('answers that nobody waits for are reported once', async () => {
  await withHostile(async ({ text, log }) => {
    await text('hostile', 'other-id')
    await text('hostile', 'twice')
    await text('hostile', 'echo')
    expect(log.filter(({ message }) => message.includes('not waiting'))).toHaveLength(1)
  })
})

test.each(['first', 'last'])('an answer of 100 MB with its id %s fails its own call and no other', async (place) => {
  await withHostile(async ({ call, text }) => {
    const huge = call('hostile', 'huge', { megabytes: 100, place })
    await expect(huge).rejects.toMatchObject({ code: 'answer-too-large' })
    expect(await text('hostile', 'echo', { n: 2 })).toBe('{"n":2}')
  })
})

test('a line over the limit that names no request ends the connection instead of hanging the caller', async () => {
  await withHostile(
    async ({ call, states }) => {
      const huge = call('hostile', 'huge', { megabytes: 3, place: 'nowhere' })
      await expect(huge).rejects.toMatchObject({ code: 'connection-lost' })
      await until(() => states.some(([, state]) => state.kind === 'down'))
      expect(JSON.stringify(states)).toContain('more than the limit of 1048576')
    },
    { maxMessageBytes: 1024 * 1024 },
  )
})

test.each([
  ['crash', 7],
  ['half-a-message', 0],
])(
  'a server that ends by "%s" in mid-call leaves the effect unknown, and how it ended is told',
  async (tool, exitCode) => {
    await withHostile(async ({ call, ready, text }) => {
      await expect(call('hostile', tool)).rejects.toMatchObject({
        name: 'McpCallError',
        code: 'connection-lost',
        message: `the server exited with code ${exitCode} before it answered`,
      })
      await new Promise((resolve) => setTimeout(resolve, 50))
      await ready('hostile')
      expect(await text('hostile', 'echo', { back: true })).toBe('{"back":true}')
    })
  },
)

test('a tool that neither answers nor reports progress is given up after the idle deadline', async () => {
  await withHostile(
    async ({ call }) => {
      const never = call('hostile', 'never')
      await expect(never).rejects.toMatchObject({ code: 'idle-timeout' })
      await expect(never).rejects.toThrow('neither an answer nor progress for 300 ms')
    },
    { timeoutMs: 300 },
  )
})

test('one tool may be waited for longer than its server, or less long', async () => {
  const server = { ...hostile(), timeoutMs: 5_000, tools: { never: { timeoutMs: 100 }, echo: { deadlineMs: 7 } } }
  await using recorded = startSource({ servers: { hostile: server } })
  await recorded.ready('hostile')
  await expect(recorded.call('hostile', 'never')).rejects.toThrow('neither an answer nor progress for 100 ms')
  const deadlines = recorded.tools('hostile').map(({ name, deadlineMs }) => [name, deadlineMs])
  expect(Object.fromEntries(deadlines)).toMatchObject({ echo: 7, never: undefined })
})

test('progress extends the idle deadline, never that of the caller', async () => {
  await withHostile(
    async ({ callUntil, text }) => {
      expect(await text('hostile', 'progress', { steps: 12, everyMs: 125 })).toBe('done after 12')
      const bound = callUntil(AbortSignal.timeout(400), 'hostile', 'progress')
      await expect(bound).rejects.toMatchObject({ name: 'TimeoutError' })
    },
    { timeoutMs: 1_000 },
  )
})

test('a result that nests without end is refused, and a structured null beside a text is none', async () => {
  await withHostile(async ({ call }) => {
    await expect(call('hostile', 'deep')).rejects.toMatchObject({ code: 'bad-answer' })
    const content = [{ type: 'text', text: 'not a list' }]
    expect(await call('hostile', 'no-result')).toEqual({ content })
  })
})

test('content of an unknown kind is kept as text', async () => {
  await withHostile(async ({ call }) => {
    expect(textOf(await call('hostile', 'unknown'))).toBe('{"type":"hologram","depth":3}\n17')
  })
})

test('an error of the protocol reaches the caller without the configured secrets', async () => {
  await withHostile(async ({ call }) => {
    const refused = call('hostile', 'refuses')
    await expect(refused).rejects.toMatchObject({ code: 'protocol-error' })
    await expect(refused).rejects.toThrow('the server refused: no such thing, key [secret] (code -32602)')
  })
})

test('a server that asks a person is declined where the caller has nobody to ask', async () => {
  await withHostile(async ({ text }) => {
    expect(await text('hostile', 'asks')).toBe('told: {"action":"decline"}')
  })
})

test('many calls at once each get their own answer', async () => {
  await withHostile(async ({ text }) => {
    const numbers = Array.from({ length: 50 }, (_, n) => n)
    const answers = await Promise.all(numbers.map((n) => text('hostile', 'echo', { n })))
    expect(answers).toEqual(numbers.map((n) => `{"n":${n}}`))
  })
})
