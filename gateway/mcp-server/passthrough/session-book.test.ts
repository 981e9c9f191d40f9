import { expect, test } from 'vitest'
import type { PassedSession, SessionBook } from './session-book.ts'
import { createSessionBook } from './session-book.ts'

interface Book {
  readonly book: SessionBook
  readonly left: readonly string[]
  readonly pass: (ms: number) => void
  readonly open: (tokenId: string, server?: string) => PassedSession | undefined
}

function aBook(bounds = { all: 4, perToken: 2, idleMs: 1_000 }): Book {
  let nowMs = 0
  let made = 0
  const left: string[] = []
  const book = createSessionBook({
    newId: () => `s${(made += 1)}`,
    now: () => nowMs,
    leave: async ({ id }) => void left.push(id),
    bounds,
  })
  const upstream = { exchange: () => Promise.reject(new Error('not asked here')), close: () => Promise.resolve() }
  return {
    book,
    left,
    pass: (ms) => {
      nowMs += ms
    },
    open(tokenId, server = 'files') {
      const release = book.reserve(tokenId)
      if (release === undefined) return undefined
      const session = book.open({ server, tokenId, upstream, upstreamId: 'own' })
      release()
      return session
    },
  }
}

test('a token with too many sessions loses the one that was idle longest', () => {
  const { book, open, left, pass } = aBook()
  const [first] = [open('a'), pass(1), open('a'), pass(1), open('b')]
  open('a')
  expect(left).toEqual([first?.id])
  expect(book.count()).toBe(3)
})

test('sessions in use are not ended to make room', async () => {
  const { book, open } = aBook()
  const sessions = [open('a'), open('a')].flatMap((session) => session ?? [])
  const { promise, resolve } = Promise.withResolvers<void>()
  const running = sessions.map((session) => book.use(session, () => promise))
  expect(open('a')).toBeUndefined()
  resolve()
  await Promise.all(running)
  expect(open('a')).toBeDefined()
})

test('sessions that are being opened take room too, until they come to nothing', () => {
  const { book, open } = aBook()
  const first = book.reserve('a')
  expect(book.reserve('a')).toBeDefined()
  expect(book.reserve('a')).toBeUndefined()
  expect(open('b')).toBeDefined()
  first?.()
  expect(book.reserve('a')).toBeDefined()
})

test('all sessions together are bounded too', () => {
  const { book, open } = aBook()
  for (const token of ['a', 'b', 'c', 'd', 'e']) open(token)
  expect(book.count()).toBe(4)
})

test('what nobody has used for long is ended, and the server told', async () => {
  const { book, open, left, pass } = aBook()
  const [old] = [open('a')]
  pass(900)
  open('b')
  pass(200)
  await book.sweep()
  expect(left).toEqual([old?.id])
})

test('the calls of a session end with it, and it is left once', async () => {
  const { book, open, left } = aBook()
  const session = open('a')
  if (session === undefined) throw new Error('no session')
  const call = new AbortController()
  session.calls.set(1, call)
  await Promise.all([book.end(session), book.end(session)])
  expect(call.signal.aborted).toBe(true)
  expect(left).toEqual([session.id])
})

test('a session is found by its own token at its own server alone', () => {
  const { book, open } = aBook()
  const { id = '' } = open('a') ?? {}
  expect(book.find(id, { server: 'files', tokenId: 'a' })?.id).toBe(id)
  expect(book.find(id, { server: 'files', tokenId: 'b' })).toBeUndefined()
  expect(book.find(id, { server: 'other', tokenId: 'a' })).toBeUndefined()
})
