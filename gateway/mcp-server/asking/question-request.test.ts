import { expect, test } from 'vitest'
import { createTool } from '../../../catalog/tool.ts'
import { questionRequest } from './question-request.ts'

const tool = createTool('mcp', 'files', { name: 'wipe', description: 'Wipes.', inputSchema: { type: 'object' } })
const FORM = { kind: 'form', message: 'Sure?', fields: [] } as const

const messageOf = (question: Parameters<typeof questionRequest>[0]['question'], problem?: string): unknown => {
  const { signal } = new AbortController()
  const { params } = questionRequest({ id: 'question_1', tool, question, signal, ...(problem && { problem }) })
  return Object(params).message
}

test('a form says who asks, by which tool, and why the last answer was not taken', () => {
  expect(messageOf(FORM)).toBe('MCP server "files" asks (tool wipe):\nSure?')
  expect(messageOf(FORM, 'no')).toBe(
    'MCP server "files" asks (tool wipe):\nSure?\n(The last answer was not taken: no.)',
  )
})

test('what there is to say of a question stands before the words of who asks', () => {
  const remark = 'perhaps for another call'
  const who = 'MCP server "files" (perhaps for another call) asks (tool wipe):'
  expect(messageOf({ ...FORM, remark })).toBe(`${who}\nSure?`)
  const address = { kind: 'url', message: 'Log in', url: 'https://a.example/', host: 'a.example', remark } as const
  expect(messageOf(address)).toContain(`${who}\nLog in`)
})
