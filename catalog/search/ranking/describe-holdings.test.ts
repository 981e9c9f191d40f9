import { expect, test } from 'vitest'
import { createTool } from '../../tool.ts'
import { ToolStore } from '../index/tool-store.ts'
import { createTextReader } from '../text/text-reader.ts'
import { WEIGHTS } from '../weights.ts'
import { createDescribeHoldings } from './describe-holdings.ts'

const reader = createTextReader()
const describeHoldings = createDescribeHoldings(reader)
const everything = (): boolean => true

function storeOf(...owned: readonly (readonly [string, string])[]): ToolStore {
  const store = new ToolStore(reader, WEIGHTS)
  for (const [owner, name] of owned) store.put(createTool('mcp', owner, { name, description: '', inputSchema: {} }))
  return store
}

test('owners come with most tools first, and only those of the view are named', () => {
  const store = storeOf(['a', 'get_file'], ['b', 'get_invoice'], ['b', 'send_invoice'], ['c', 'secret_invoice'])
  const accepts = (document: number): boolean => store.toolAt(document)?.owner !== 'c'
  expect(describeHoldings([{ store, accepts }])).toBe('here are 3 tools of b (2), a (1); words in their names: invoice')
})

test('tools that a client brings under an owner that is here are counted with it', () => {
  const main = { store: storeOf(['a', 'one'], ['b', 'two']), accepts: everything }
  const brought = { store: storeOf(['x', 'three'], ['b', 'four'], ['b', 'five']), accepts: everything }
  expect(describeHoldings([main, brought])).toBe('here are 5 tools of b (3), a (1), x (1)')
})

test('owners whose tools are all gone are not counted', () => {
  const store = storeOf(['a', 'one'], ['b', 'two'])
  store.remove('mcp:a:one')
  expect(describeHoldings([{ store, accepts: everything }])).toBe('here is 1 tool of b (1)')
  store.remove('mcp:b:two')
  expect(describeHoldings([{ store, accepts: everything }])).toBe('there are no tools here')
})

test('of many owners the first are named and the others counted', () => {
  const store = storeOf(...Array.from({ length: 15 }, (_, place) => [`owner${place}`, 'tool'] as const))
  expect(describeHoldings([{ store, accepts: everything }])).toContain('owner6 (1) and 3 more owners')
})
