import { expect, test } from 'vitest'
import type { RebindingRules } from './rebinding-guard.ts'
import { createRebindingGuard, refuseRebinding } from './rebinding-guard.ts'

const local = (rules: Partial<RebindingRules> = {}): RebindingRules => ({
  host: '127.0.0.1',
  allowedHosts: [],
  allowedOrigins: [],
  pageOrigins: [],
  ...rules,
})

test.each([
  [{ host: 'localhost:8790' }, local()],
  [{ host: '127.0.0.1' }, local()],
  [{ host: '[::1]:8790' }, local({ host: '::1' })],
  [{ host: '127.0.0.7:1' }, local({ host: '127.0.0.7' })],
  [{ host: 'localhost', origin: 'http://localhost:3000' }, local()],
  [{ host: 'localhost', origin: 'https://console.example' }, local({ allowedOrigins: ['console.example'] })],
  [{ host: 'localhost', origin: 'https://chat.example' }, local({ pageOrigins: ['https://chat.example'] })],
  [{ host: 'gate.example' }, local({ allowedHosts: ['gate.example'] })],
  [{ host: 'anything.example' }, local({ host: '0.0.0.0' })],
  [{ host: 'anything.example' }, local({ boundTo: '0.0.0.0' })],
  [{ host: '127.0.0.9:80' }, local({ boundTo: '127.0.0.9' })],
  [
    { host: 'anything.example', origin: 'https://gate.example' },
    local({ host: '0.0.0.0', allowedOrigins: ['gate.example'] }),
  ],
])('%j may ask', (headers, rules) => {
  expect(() => refuseRebinding(headers, rules)).not.toThrow()
})

test.each([
  [{ host: 'evil.example' }, local()],
  [{}, local()],
  [{ host: 'anything.example' }, local({ host: '0.0.0.0', boundTo: '127.0.0.1' })],
  [{ host: 'localhost.evil.example' }, local()],
  [{ host: 'localhost', origin: 'http://evil.example' }, local()],
  [{ host: 'localhost', origin: 'null' }, local()],
  [{ host: 'localhost', origin: 'http://chat.example' }, local({ pageOrigins: ['https://chat.example'] })],
  [{ host: 'evil.example', origin: 'https://chat.example' }, local({ pageOrigins: ['https://chat.example'] })],
  [{ host: 'localhost', origin: 'http://localhost.evil.example' }, local()],
  [{ host: 'anything.example', origin: 'http://anything.example' }, local({ host: '0.0.0.0' })],
  [{ host: 'other.example' }, local({ host: '0.0.0.0', allowedHosts: ['gate.example'] })],
])('%j is refused', (headers, rules) => {
  expect(() => refuseRebinding(headers, rules)).toThrow(/may not ask here|is not this gateway/)
})

test('what was let in before is no way in for another host, another origin, or under other rules', () => {
  const guard = createRebindingGuard()
  const rules = local({ allowedHosts: ['gate.example'] })
  const good = { host: 'gate.example', origin: 'http://localhost' }
  for (let time = 0; time < 2; time += 1) {
    expect(() => guard(good, rules)).not.toThrow()
    expect(() => guard({ ...good, host: 'evil.example' }, rules)).toThrow('is not this gateway')
    expect(() => guard({ ...good, origin: 'http://evil.example' }, rules)).toThrow('may not ask here')
    expect(() => guard({ host: good.host }, rules)).not.toThrow()
  }
  expect(() => guard(good, local())).toThrow('is not this gateway')
  const page = { host: 'gate.example', origin: 'https://chat.example' }
  const listed = { ...rules, pageOrigins: ['https://chat.example'] }
  expect(() => guard(page, listed)).not.toThrow()
  expect(() => guard(page, { ...listed, pageOrigins: [] })).toThrow('may not ask here')
  expect(() => guard(good, { ...rules, allowedHosts: [] })).toThrow('is not this gateway')
  expect(() =>
    guard({ ...good, host: 'localhost' }, { ...rules, boundTo: '0.0.0.0', allowedHosts: ['x'] }),
  ).not.toThrow()
})
