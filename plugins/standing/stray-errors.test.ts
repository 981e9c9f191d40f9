import { expect, test } from 'vitest'
import { STRAY_ERRORS_MS, STRAY_ERRORS_SAID } from '../limits.ts'
import { createStrayErrors } from './stray-errors.ts'

function aKeeper() {
  const lines: string[] = []
  const clock = { nowMs: 1_000 }
  const write = (plugin: string) => (message: string) => void lines.push(`${plugin}: ${message}`)
  const silent = (): void => {}
  const strays = createStrayErrors({
    logFor: (plugin) => ({ debug: silent, info: silent, warn: silent, error: write(plugin) }),
    now: () => clock.nowMs,
  })
  return { strays, lines, clock }
}

test('an error is told with its place and the way out, and stands among the problems until the plugin is new', () => {
  const { strays, lines } = aKeeper()
  const place = { owner: 'weather', path: '/p/weather.ts' }
  strays.add('weather', new Error('no wind'))
  expect(lines).toEqual([expect.stringMatching(/^weather: .*no wind \(at .*stray-errors\.test.*\); await the promise/)])
  expect(strays.of(place)).toEqual([{ ...place, reason: expect.stringContaining('no wind') }])
  expect(strays.of({ owner: 'other', path: '/p/other.ts' })).toEqual([])
  strays.forget(place)
  expect(strays.of(place)).toEqual([])
})

test('what was thrown while the file was imported is found by its path', () => {
  const { strays } = aKeeper()
  strays.add('/p/weather.ts', 'a text')
  expect(strays.of({ owner: 'weather', path: '/p/weather.ts' })).toHaveLength(1)
})

test('a timer that throws all the time is told once in a while, with how often', () => {
  const { strays, lines, clock } = aKeeper()
  for (let n = 0; n < 1_000; n += 1) strays.add('weather', new Error(`no wind ${n}`))
  expect(lines).toHaveLength(STRAY_ERRORS_SAID)
  expect(strays.of({ owner: 'weather', path: '' })[0]?.reason).toContain('no wind 999')
  clock.nowMs += STRAY_ERRORS_MS
  strays.add('weather', new Error('no wind again'))
  expect(lines.at(-1)).toMatch(/no wind again.*\(and 995 before it\)$/)
})
