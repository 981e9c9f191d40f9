import { expect, test } from 'vitest'
import type { Outcome, SettledCall } from '../../../bridge/outcome.ts'
import type { ModelResult } from '../../../bridge/presentation/presentation.ts'
import type { ToolResult } from '../../../catalog/tool.ts'
import { toolAnswer } from './tool-answer.ts'

const settledAs = (outcome: Outcome, notices: SettledCall['notices'] = []): SettledCall => ({
  callId: 'call_1',
  toolId: 'plugin:demo:echo',
  requested: 'plugin:demo:echo',
  outcome,
  notices,
  ms: 1,
  receiptId: 'rc_1',
})
const ok = (result: ToolResult): Outcome => ({ kind: 'ok', value: 'v', result, effect: 'done' })
const of = (settled: SettledCall, text = 'for a model'): ModelResult => ({
  kind: 'result',
  text,
  isError: settled.outcome.kind !== 'ok',
  searches: 0,
  describes: 0,
  calls: [],
  settled,
})
const IMAGE = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const

test('a tool that is shown itself gives its blocks and its structured result as they are', () => {
  const content = [{ type: 'text', text: 'a' } as const, IMAGE]
  const answer = toolAnswer(of(settledAs(ok({ content, structured: { n: 1 } }))), 'direct')
  expect(answer).toEqual({ content, structuredContent: { n: 1 }, isError: false })
})

test('a structured result may be any JSON, null too', () => {
  expect(toolAnswer(of(settledAs(ok({ content: [], structured: null }))), 'direct')).toMatchObject({
    structuredContent: null,
  })
})

test('resources keep their form, and a link without a name is named by its address', () => {
  const content = [
    { type: 'resource_link', uri: 'file:///a' },
    { type: 'resource', resource: { uri: 'file:///b', mimeType: 'text/plain', text: 'b' } },
    { type: 'resource', resource: { uri: 'file:///c', blob: 'AAAA' } },
  ] as const
  expect(toolAnswer(of(settledAs(ok({ content }))), 'direct').content).toEqual([
    { type: 'resource_link', uri: 'file:///a', name: 'file:///a' },
    ...content.slice(1),
  ])
})

test('what a server says of a block beside goes with it, and cannot be in the place of the block', () => {
  const annotations = { audience: ['user'], priority: 1 }
  const content = [
    { type: 'text', text: 'a', details: { annotations, text: 'b', type: 'image' } },
    { ...IMAGE, details: { annotations } },
    { type: 'resource_link', uri: 'mem://a', name: 'a', details: { title: 'A', size: 3 } },
  ] as const
  expect(toolAnswer(of(settledAs(ok({ content }))), 'direct').content).toEqual([
    { type: 'text', text: 'a', annotations },
    { ...IMAGE, annotations },
    { type: 'resource_link', uri: 'mem://a', name: 'a', title: 'A', size: 3 },
  ])
})

test('what was changed on the way in is said after the result', () => {
  const repaired = settledAs(ok({ content: [] }), [{ code: 'repaired', message: '"titel" was read as "title"' }])
  expect(toolAnswer(of(repaired), 'direct').content).toEqual([
    { type: 'text', text: 'note: "titel" was read as "title"' },
  ])
})

test("a tool's own failure is told in its words, with its pictures", () => {
  const result: ToolResult = { content: [{ type: 'text', text: 'disk full' }, IMAGE], isError: true }
  const failed = settledAs({ kind: 'failed', message: 'disk full', result, effect: 'unknown' })
  expect(toolAnswer(of(failed), 'direct')).toEqual({
    content: [{ type: 'text', text: 'disk full' }, IMAGE],
    isError: true,
  })
})

test('every other end that is not ok is told by the text for models', () => {
  const denied = settledAs({ kind: 'denied', message: 'no', effect: 'none' })
  expect(toolAnswer(of(denied, '{"outcome":"denied"}'), 'direct')).toEqual({
    content: [{ type: 'text', text: '{"outcome":"denied"}' }],
    isError: true,
  })
})

test('through tool_call the text for models comes first, then what is no text', () => {
  const answer = toolAnswer(of(settledAs(ok({ content: [{ type: 'text', text: 'raw' }, IMAGE] }))), 'tools')
  expect(answer).toEqual({ content: [{ type: 'text', text: 'for a model' }, IMAGE], isError: false })
})

test.each(['code', 'tools'] as const)('what a function of %s answers is text and, the same, structured', (mode) => {
  const answer = (text: string): ModelResult => ({
    kind: 'result',
    text,
    isError: false,
    searches: 0,
    describes: 0,
    calls: [],
  })
  const text = '{"status":"completed","value":1}'
  expect(toolAnswer(answer(text), mode)).toEqual({
    content: [{ type: 'text', text }],
    structuredContent: { status: 'completed', value: 1 },
    isError: false,
  })
  // Cut at its bound, it is no JSON.
  expect(toolAnswer(answer('{"status":'), mode)).not.toHaveProperty('structuredContent')
})

test('a picture is not hidden behind a structured result', () => {
  const settled = settledAs(ok({ content: [IMAGE] }))
  expect(toolAnswer(of(settled, '{"outcome":"ok"}'), 'tools')).toEqual({
    content: [{ type: 'text', text: '{"outcome":"ok"}' }, IMAGE],
    isError: false,
  })
})
