import { describe, expect, test } from 'vitest'
import { aTool } from '../../catalog/testing/a-tool.ts'
import { createQueryMemory } from './query-memory.ts'

describe('what a turn was shown', () => {
  test('is the latest search that found a tool, and the tool as it was shown last', () => {
    const memory = createQueryMemory()
    memory.remember('first', ['plugin:demo:echo'])
    memory.remember('second', ['plugin:demo:echo'])
    memory.remember('third', ['plugin:demo:other'])
    expect(memory.queryFor('plugin:demo:echo')).toBe('second')
    const [older, newer] = [aTool({ description: 'older' }), aTool({ description: 'newer' })]
    memory.show(older)
    memory.show(newer)
    expect(memory.shown(newer.id)).toBe(newer)
    expect(memory.shown('plugin:demo:never')).toBeUndefined()
  })

  test('is forgotten from its beginning, when it is more than a turn needs', () => {
    const memory = createQueryMemory()
    const tools = Array.from({ length: 600 }, (_, place) => aTool({ name: `t${place}` }))
    for (const tool of tools) memory.show(tool)
    expect(memory.shown(tools[0]?.id ?? '')).toBeUndefined()
    expect(memory.shown(tools[599]?.id ?? '')).toBe(tools[599])
  })
})
