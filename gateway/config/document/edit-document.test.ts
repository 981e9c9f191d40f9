import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../../catalog/json.ts'
import type { ConfigPath } from './config-path.ts'
import { parsePath, valueAt } from './config-path.ts'
import { setPath, unsetPath } from './edit-document.ts'
import { parseDocument } from './parse-document.ts'

const FILE = `// Our gateway
{
  // Where it listens.
  gateway: { host: '127.0.0.1', port: 8790 }, // not public
  tools: {
    toolSearch: true, // keep me
    /* denied */ deny: ['a', /* mid */ 'b'],
  },
  mcp: {},
  agents: {
    default: {
      instructions: 'say "hi"',
    }
  }
}
// the end
`

describe('an edit changes what it was asked to and no other byte', () => {
  test.each([
    ['tools.toolSearch', 'tools', `toolSearch: true, // keep me`, `toolSearch: 'tools', // keep me`],
    ['gateway.port', 1, 'port: 8790 }, // not', 'port: 1 }, // not'],
    ['gateway.name', 'x', 'port: 8790 }', `port: 8790, name: 'x' }`],
    ['tools.deny[2]', 'c', `/* mid */ 'b']`, `/* mid */ 'b', 'c']`],
    ['tools.deny[0]', 'z', `['a',`, `['z',`],
    ['mcp.servers.files.command', 'npx', 'mcp: {},', `mcp: { servers: { files: { command: 'npx' } } },`],
    ['agents.default.model', 'a/b', `'say "hi"',\n`, `'say "hi"',\n      model: 'a/b',\n`],
    ['agents.other', {}, '    }\n  }\n}', '    },\n    other: {}\n  }\n}'],
    ['sandbox.jit', true, '  }\n}\n// the', '  },\n  sandbox: { jit: true }\n}\n// the'],
    ['tools.allow', ['x'], `'b'],\n`, `'b'],\n    allow: ['x'],\n`],
  ] as const)('setting %s', (...[path, value, before, after]) => {
    expect(setPath(FILE, pathOf(path), value)).toEqual({ kind: 'edited', text: FILE.replace(before, after) })
  })
  test.each([
    ['tools.toolSearch', '    toolSearch: true, // keep me\n', '    // keep me\n'],
    ['gateway', `gateway: { host: '127.0.0.1', port: 8790 }, // not`, '// not'],
    ['gateway.host', `{ host: '127.0.0.1', port`, '{ port'],
    ['gateway.port', `'127.0.0.1', port: 8790 }`, `'127.0.0.1' }`],
    ['tools.deny[0]', `['a', /* mid */ 'b']`, `[/* mid */ 'b']`],
    ['tools.deny[1]', `['a', /* mid */ 'b']`, `['a' /* mid */]`],
    ['mcp', '  mcp: {},\n', ''],
    [
      'agents',
      '  mcp: {},\n  agents: {\n    default: {\n      instructions: \'say "hi"\',\n    }\n  }\n',
      '  mcp: {}\n',
    ],
    ['agents.default', '{\n    default: {\n      instructions: \'say "hi"\',\n    }\n  }', '{\n  }'],
  ])('taking away %s', (path, before, after) => {
    expect(unsetPath(FILE, pathOf(path))).toEqual({ kind: 'edited', text: FILE.replace(before, after) })
  })
  test('a comment between a value and its comma stays', () => {
    expect(unsetPath('{ a: 1 /* one */, b: 2 }', ['a'])).toEqual({ kind: 'edited', text: '{  /* one */ b: 2 }' })
  })
})

describe('what is added looks like the rest of the file', () => {
  test('strict JSON stays strict JSON', () => {
    const file = '{\n    "gateway": {\n        "port": 1\n    }\n}\n'
    const edited = setPath(file, ['tools', 'toolSearch'], false)
    expect(edited).toMatchObject({ kind: 'edited', text: expect.stringContaining('"tools": { "toolSearch": false }') })
    expect(JSON.parse(edited.kind === 'edited' ? edited.text : '')).toEqual({
      gateway: { port: 1 },
      tools: { toolSearch: false },
    })
    const back = unsetPath(edited.kind === 'edited' ? edited.text : '', ['tools'])
    expect(back).toEqual({ kind: 'edited', text: file })
  })
  test('line ends and tabs are kept', () => {
    const edited = setPath(`{\r\n\tgateway: {\r\n\t\tport: 1,\r\n\t},\r\n}\r\n`, ['gateway', 'host'], 'h')
    expect(edited).toEqual({
      kind: 'edited',
      text: `{\r\n\tgateway: {\r\n\t\tport: 1,\r\n\t\thost: 'h',\r\n\t},\r\n}\r\n`,
    })
  })
  test('double quotes where the file uses them', () => {
    expect(setPath('{\n  a: "x",\n}', ['b'], `it's`)).toEqual({ kind: 'edited', text: `{\n  a: "x",\n  b: "it's",\n}` })
  })
  test('an empty file and an empty object become a file with indentation', () => {
    const text = `{\n  tools: { toolSearch: true },\n}`
    expect(setPath('', ['tools', 'toolSearch'], true)).toEqual({ kind: 'edited', text: `${text}\n` })
    expect(setPath('{}', ['tools', 'toolSearch'], true)).toEqual({ kind: 'edited', text })
    expect(setPath('{\n  // nothing yet\n}', ['a'], 1)).toEqual({
      kind: 'edited',
      text: '{\n  // nothing yet\n  a: 1,\n}',
    })
  })
  test('a long value is laid out over lines', () => {
    const value = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/some/folder/of/mine'] }
    expect(setPath('{\n  mcp: {\n  },\n}', ['mcp', 'files'], value)).toEqual({
      kind: 'edited',
      text: `{
  mcp: {
    files: {
      command: 'npx',
      args: [
        '-y',
        '@modelcontextprotocol/server-filesystem',
        '/some/folder/of/mine',
      ],
    },
  },
}`,
    })
  })
})

describe('what cannot be done is said', () => {
  test('the same value again changes nothing, whatever its notation', () => {
    expect(setPath(`{ port: 0x10, "a": { y: 1, x: 'q' } }`, ['port'], 16)).toEqual({ kind: 'unchanged' })
    expect(setPath(`{ port: 0x10, "a": { y: 1, x: 'q' } }`, ['a'], { x: 'q', y: 1 })).toEqual({ kind: 'unchanged' })
  })
  test('nothing can be taken away where nothing is', () => {
    expect(unsetPath(FILE, ['tools', 'allow'])).toEqual({ kind: 'absent' })
    expect(unsetPath('', ['tools'])).toEqual({ kind: 'absent' })
  })
  test.each([
    ['tools.toolSearch.mode', 'is neither an object nor a list; set tools.toolSearch as a whole'],
    ['tools.deny[7]', 'has 2 entries; the next is [2]'],
    ['tools.deny.x', 'is a list; use [0] to [2]'],
    ['tools.allow[1]', 'is not there yet; its first entry is [0]'],
    ['agents[0]', 'is an object; [0] is for lists'],
  ])('setting %s', (path, message) => {
    expect(setPath(FILE, pathOf(path), 1)).toMatchObject({ kind: 'refused', problems: [{ message }] })
  })
  test('a file that cannot be read is not edited', () => {
    expect(setPath('{ a: ', ['a'], 1)).toMatchObject({ kind: 'refused', problems: [{ kind: 'syntax' }] })
    expect(setPath('[]', ['a'], 1)).toMatchObject({ kind: 'refused' })
  })
})

test('whatever the file and the value: set then read gives the value, unset then read gives nothing, the rest stays', () => {
  const leaf = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  const key = fc
    .oneof(fc.constantFrom('a', 'b', 'null', 'de fault', "it's", '"q"'), fc.string())
    .filter((each) => !['__proto__', 'constructor', 'prototype'].includes(each))
  const value = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    ),
  })).value
  const layout = fc.constantFrom(
    (json: JsonValue) => JSON.stringify(json),
    (json: JsonValue) => JSON.stringify(json, null, 2),
    (json: JsonValue) => JSON.stringify(json, null, '\t').replaceAll('\n', '\r\n'),
    (json: JsonValue) => JSON.stringify(json, null, 2).replaceAll(/,$/gm, ', // note') + ' /* end */',
    (json: JsonValue) => JSON.stringify(json, null, 2).replaceAll(/([^{[,])$/gm, '$1 /* c */'),
  )
  const path = fc.array(key, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(
      fc.record({ file: fc.dictionary(key, value, { maxKeys: 4 }), print: layout, path, put: value }),
      (drawn) => {
        const text = drawn.print(JSON.parse(JSON.stringify(drawn.file)))
        const plain: JsonValue = JSON.parse(JSON.stringify(drawn.put))
        const edited = setPath(text, drawn.path, plain)
        if (edited.kind === 'refused') return
        const after = edited.kind === 'edited' ? edited.text : text
        expect(read(after, drawn.path)).toEqual(plain)
        const removed = unsetPath(after, drawn.path)
        expect(removed.kind).toBe('edited')
        expect(read(removed.kind === 'edited' ? removed.text : after, drawn.path)).toBeUndefined()
      },
    ),
    { numRuns: 500 },
  )
})

function pathOf(text: string): ConfigPath {
  const parsed = parsePath(text)
  return parsed.kind === 'path' ? parsed.path : []
}

function read(text: string, path: ConfigPath): JsonValue | undefined {
  const parsed = parseDocument(text)
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  return valueAt(parsed.document.value, path)
}
