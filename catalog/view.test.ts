import { describe, expect, test } from 'vitest'
import { aTool } from './testing/a-tool.ts'
import { aView } from './testing/a-view.ts'
import type { View, ViewDeps } from './view.ts'

const without = (hidden: string): Pick<ViewDeps, 'isVisible'> => ({ isVisible: ({ id }) => id !== hidden })

const found = (view: View, selector: string): string => {
  const resolution = view.resolve(selector)
  return resolution.kind === 'found' ? resolution.tool.id : resolution.kind
}

describe('a view', () => {
  test('resolves an exact id and an exact name that is unique', () => {
    const view = aView([aTool({ name: 'a' }), aTool({ name: 'b' })])
    expect(found(view, 'plugin:demo:a')).toBe('plugin:demo:a')
    expect(found(view, 'b')).toBe('plugin:demo:b')
  })

  test.each(['plugin:demo:A', ' plugin:demo:a', 'plugin:demo:a\n', 'demo:a', 'plugin:demo:\u0430', ''])(
    'guesses nothing from %j',
    (selector) => {
      expect(found(aView([aTool({ name: 'a' })]), selector)).toBe('unknown')
    },
  )

  test('a tool whose name is another one’s id does not stand in for it, and is reached by its own id', () => {
    const squatter = aTool({ source: 'mcp', owner: 'evil', name: 'mcp:bank:pay' })
    const bank = aTool({ source: 'mcp', owner: 'bank', name: 'pay' })
    expect(found(aView([squatter, bank], without(bank.id)), 'mcp:bank:pay')).toBe('unknown')
    expect(found(aView([squatter]), 'mcp:bank:pay')).toBe('unknown')
    expect(found(aView([squatter, bank]), 'mcp:bank:pay')).toBe('mcp:bank:pay')
    expect(found(aView([squatter]), 'mcp:evil:mcp%3Abank%3Apay')).toBe(squatter.id)
  })

  test('a name that two tools have is ambiguous, with both ids', () => {
    const view = aView([aTool({ name: 'x', owner: 'a' }), aTool({ name: 'x', owner: 'b' })])
    expect(view.resolve('x')).toEqual({ kind: 'ambiguous', ids: ['plugin:a:x', 'plugin:b:x'] })
  })

  test('a hidden tool is unknown by id and name, is not suggested and does not make a name ambiguous', () => {
    const view = aView([aTool({ name: 'x', owner: 'a' }), aTool({ name: 'x', owner: 'b' })], without('plugin:b:x'))
    expect(view.resolve('plugin:b:x')).toEqual({ kind: 'unknown', suggestions: ['plugin:a:x'] })
    expect(found(view, 'x')).toBe('plugin:a:x')
    expect(view.has('plugin:b:x')).toBe(false)
  })

  test('a path finds names that an identifier cannot spell, and never crosses twins', () => {
    const view = aView([
      aTool({ owner: 'my-files', name: 'read-file' }),
      aTool({ owner: 'fs', name: 'read_file' }),
      aTool({ owner: 'fs', name: 'read-file' }),
      aTool({ owner: 'fs', name: 'delete' }),
    ])
    const path = (owner: string, name: string): string => {
      const resolution = view.resolvePath(owner, name)
      return resolution.kind === 'found' ? resolution.tool.id : resolution.kind
    }
    expect(path('my_files', 'read_file')).toBe('plugin:my-files:read-file')
    expect(path('fs', 'read_file')).toBe('plugin:fs:read_file')
    expect(path('fs', 'read-file')).toBe('plugin:fs:read-file')
    expect(path('fs', 'delete')).toBe('plugin:fs:delete')
    expect(path('fs', 'read.file')).toBe('ambiguous')
  })

  test('a path in another case is a near miss: suggested, never taken', () => {
    const view = aView([aTool({ owner: 'math', name: 'add' })])
    expect(view.resolvePath('Math', 'Add')).toEqual({ kind: 'unknown', suggestions: ['plugin:math:add'] })
  })

  test('a path that nothing is called like names what its owner has', () => {
    const view = aView([aTool({ owner: 'math', name: 'add' }), aTool({ owner: 'files', name: 'read' })])
    expect(view.resolvePath('math', 'qqzzx')).toEqual({ kind: 'unknown', suggestions: ['plugin:math:add'] })
  })

  test('tools that the client brought are in the view of that request, policy applied', () => {
    const clientTools = [
      aTool({ source: 'client', owner: 'client', name: 'open_tab' }),
      aTool({ source: 'client', owner: 'client', name: 'no' }),
    ]
    const view = aView([aTool({ name: 'a' })], { clientTools, ...without('client:client:no') })
    expect(found(view, 'open_tab')).toBe('client:client:open_tab')
    expect(found(view, 'no')).toBe('unknown')
    expect(view.countBySource).toEqual({ plugin: 1, mcp: 0, client: 1 })
  })
})
