import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { catchStrayErrors } from './stray-errors.ts'

test.each(['uncaughtException', 'unhandledRejection'] as const)(
  '%s: a plugin is blamed for its own, the gateway dies of its own, and nothing is caught after the end',
  (event) => {
    const source = new EventEmitter()
    const said: string[] = []
    let plugin: string | undefined = 'weather'
    const stop = catchStrayErrors({
      source,
      pluginAtFault: () => plugin,
      blame: (owner, error) => void said.push(`${owner}: ${String(error)}`),
      die: (error) => void said.push(`dies: ${String(error)}`),
    })
    source.emit(event, 'no wind')
    plugin = undefined
    source.emit(event, 'a defect')
    expect(said).toEqual(['weather: no wind', 'dies: a defect'])
    stop()
    expect(source.emit(event, 'later')).toBe(false)
  },
)
