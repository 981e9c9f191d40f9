import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import type { Store } from '../../store/store.ts'
import { makeToken } from './make-token.ts'
import { readTokenFile, tokenFile } from './token-file.ts'
import type { TokensOptions } from './tokens.ts'
import { openTokens } from './tokens.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'drawbridge-tokens-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the first start makes chat and admin, in plain text only in the file of the owner', async () => {
  await withStore(async (store, options) => {
    const tokens = await openTokens(options)
    expect(tokens.made.map(({ record }) => [record.name, record.scopes, record.tenant])).toEqual([
      ['chat', ['chat', 'tools'], 'default'],
      ['admin', ['chat', 'tools', 'approvals', 'admin'], 'default'],
    ])
    const plain = await readTokenFile(options.stateDirectory)
    expect(Object.keys(plain)).toEqual(['chat', 'admin'])
    expect((await stat(tokenFile(options.stateDirectory))).mode & 0o777).toBe(0o600)
    for (const { token, record } of tokens.made) {
      expect(token).toMatch(/^db_[\w-]{43}$/)
      expect(plain[record.name]).toBe(token)
      expect(await tokens.authenticate(token)).toEqual(record)
      expect(JSON.stringify(await store.listTokens())).not.toContain(token)
    }
    expect((await readFile(path.join(options.stateDirectory, 'store.db'))).includes(plain['chat'] ?? '')).toBe(false)
  })
})

test('the second start makes none, and the tokens of the first still work', async () => {
  await withStore(async (_store, options) => {
    const first = await openTokens(options)
    const second = await openTokens(options)
    expect(second.made).toEqual([])
    expect((await second.authenticate(first.made[0]?.token ?? ''))?.name).toBe('chat')
  })
})

test('unknown, cut, padded, empty and endless tokens belong to nobody', async () => {
  await withStore(async (_store, options) => {
    const tokens = await openTokens(options)
    const good = tokens.made[0]?.token ?? ''
    const hash = tokens.made[0]?.record.hash ?? ''
    for (const bad of ['', 'db_x', good.slice(0, -1), `${good} `, good.toUpperCase(), hash, 'x'.repeat(1_000_000)]) {
      expect(await tokens.authenticate(bad)).toBeUndefined()
    }
  })
})

test('a revoked token belongs to nobody, and its name is not made again', async () => {
  await withStore(async (store, options) => {
    const { made } = await openTokens(options)
    const chat = made[0]
    await store.putToken({ ...(chat?.record ?? makeToken({ name: 'x', scopes: [] }, 1).record), revokedMs: 5 })
    const tokens = await openTokens(options)
    expect(tokens.made).toEqual([])
    expect(await tokens.authenticate(chat?.token ?? '')).toBeUndefined()
  })
})

test('the environment gives the admin token instead of a made one, for as long as it is set', async () => {
  await withStore(async (store, options) => {
    const environmentToken = 'chosen-by-the-operator'
    const tokens = await openTokens({ ...options, environmentToken })
    expect(tokens.made.map(({ record }) => record.name)).toEqual(['chat'])
    expect((await tokens.authenticate(environmentToken))?.scopes).toContain('admin')
    expect(JSON.stringify([await store.listTokens(), await readTokenFile(options.stateDirectory)])).not.toContain(
      'chosen',
    )
    const without = await openTokens(options)
    expect(without.made.map(({ record }) => record.name)).toEqual(['admin'])
    expect(await without.authenticate(environmentToken)).toBeUndefined()
  })
})

test('where only unguessable tokens are accepted, a short one of the environment is not, and all others are', async () => {
  await withStore(async (_store, options) => {
    const weak = await openTokens({ ...options, environmentToken: 'short' })
    expect(await weak.authenticate('short')).toBe(weak.environment)
    expect(await weak.authenticate('short', 'unguessable')).toBeUndefined()
    expect((await weak.authenticate(weak.made[0]?.token ?? '', 'unguessable'))?.name).toBe('chat')
    const strong = await openTokens({ ...options, environmentToken: 'long-enough-not-to-be-guessed' })
    expect(await strong.authenticate('long-enough-not-to-be-guessed', 'unguessable')).toBe(strong.environment)
  })
})

test('an environment token that is weak is warned of, one that no header can carry is refused', async () => {
  await withStore(async (_store, options) => {
    expect((await openTokens({ ...options, environmentToken: 'short' })).warnings).toEqual([
      'DRAWBRIDGE_TOKEN has 5 characters and can be guessed; use at least 16',
    ])
    expect((await openTokens({ ...options, environmentToken: '' })).warnings).toEqual([])
    for (const bad of ['with space', 'line\nfeed', 'ü'.repeat(20), 'x'.repeat(600)]) {
      await expect(openTokens({ ...options, environmentToken: bad })).rejects.toMatchObject({ code: 'token-unusable' })
    }
  })
})

async function withStore(check: (store: Store, options: TokensOptions) => Promise<void>): Promise<void> {
  const stateDirectory = await mkdtemp(path.join(folder, 'state-'))
  const store = await openSqliteStore(path.join(stateDirectory, 'store.db'))
  try {
    await check(store, { store, stateDirectory, nowMs: 1 })
  } finally {
    await store.close()
  }
}
