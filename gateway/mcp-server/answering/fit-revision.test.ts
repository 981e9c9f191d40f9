import type { ContentBlock } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { fitRevision } from './fit-revision.ts'

const text: ContentBlock = { type: 'text', text: 'see' }
const audio: ContentBlock = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }
const link: ContentBlock = { type: 'resource_link', uri: 'kit://1', name: 'note', description: 'a note' }
const content = [text, audio, link]
const linkAsText = { type: 'text', text: 'resource link: note, kit://1: a note' }

test.each(['2025-06-18', '2025-11-25', '2026-07-28', undefined])(
  'a client of %s gets every block as it is',
  (revision) => {
    expect(fitRevision({ content }, revision)).toEqual({ content })
  },
)

test('a client of a revision without links to resources gets the text of one', () => {
  expect(fitRevision({ content, isError: true }, '2025-03-26')).toEqual({
    content: [text, audio, linkAsText],
    isError: true,
  })
})

test('a client of a revision without sound gets it as an embedded resource', () => {
  const resource = { uri: 'drawbridge:sound/2', mimeType: 'audio/wav', blob: 'UklGRg==' }
  expect(fitRevision({ content }, '2024-11-05').content).toEqual([text, { type: 'resource', resource }, linkAsText])
})

test('what is no result with blocks stays what it is', () => {
  const asking = { resultType: 'input_required', requestState: 's' }
  expect(fitRevision(asking, '2024-11-05')).toBe(asking)
})
