import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Mode } from '../../../bridge/presentation/presentation.ts'
import { aTool } from '../../../catalog/testing/a-tool.ts'
import type { Tool } from '../../../catalog/tool.ts'
import { aView } from '../../../catalog/testing/a-view.ts'
import { createViewWatch } from './view-watch.ts'

function aWatch(before: readonly Tool[]) {
  let view = aView(before)
  let mode: Mode = 'code'
  const told: string[] = []
  const shown = { viewOf: () => view, modeOf: () => mode }
  const watch = createViewWatch({ ...shown, quietMs: 5, onChanged: (agent) => void told.push(agent) })
  onTestFinished(() => watch.close())
  watch.add('default')
  const show = (tools: readonly Tool[]): void => {
    view = aView(tools)
    watch.look()
  }
  const showBy = (next: Mode): void => {
    mode = next
    watch.look()
  }
  return { told, show, showBy, watch }
}

const rest = (): Promise<void> => pause(60)

test.each([
  ['one is added', [aTool({ name: 'a' }), aTool({ name: 'b' })]],
  ['one is taken away', []],
  ['one has another schema', [aTool({ name: 'a', inputSchema: { type: 'object' } })]],
  ['one has another description', [aTool({ name: 'a', description: 'Something else' })]],
  ['one has another hint', [aTool({ name: 'a', annotations: { readOnlyHint: true } })]],
])('when %s, its agent is told', async (_what, tools) => {
  const { told, show } = aWatch([aTool({ name: 'a' })])
  show(tools)
  await expect.poll(() => told).toEqual(['default'])
})

test('when its tools are shown by another mode, its agent is told, and not again while that stays', async () => {
  const { told, showBy } = aWatch([aTool({ name: 'a' })])
  showBy('direct')
  await expect.poll(() => told).toEqual(['default'])
  showBy('direct')
  await rest()
  expect(told).toEqual(['default'])
})

test('a client that asked between a change and its taking back is told, and one that did not is not', async () => {
  const { told, showBy, watch } = aWatch([aTool({ name: 'a' })])
  showBy('direct')
  showBy('code')
  await rest()
  expect(told).toEqual([])
  showBy('direct')
  for (const agent of ['default', 'default', 'late']) watch.add(agent)
  showBy('code')
  await expect.poll(() => told).toEqual(['default', 'late'])
  await rest()
  expect(told).toEqual(['default', 'late'])
})

test('tools that a source made anew, as they were, are no change', async () => {
  const { told, show } = aWatch([aTool({ name: 'a' })])
  show([aTool({ name: 'a' })])
  await rest()
  expect(told).toEqual([])
})

test('a storm of changes is told once, and does not put the telling off', async () => {
  const { told, show } = aWatch([])
  for (let count = 1; count <= 50; count += 1) show([aTool({ name: `tool_${count}` })])
  await expect.poll(() => told).toEqual(['default'])
  await rest()
  expect(told).toEqual(['default'])
})

test('nothing is told after the end', async () => {
  const { told, show, watch } = aWatch([])
  show([aTool()])
  watch.close()
  await rest()
  expect(told).toEqual([])
})
