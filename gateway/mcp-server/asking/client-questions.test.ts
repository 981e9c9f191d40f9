import { expect, test } from 'vitest'
import type { ClientQuestion } from '../../../bridge/asking/ask-client.ts'
import { createTool } from '../../../catalog/tool.ts'
import type { ClientQuestionsDeps } from './client-questions.ts'
import { createClientQuestions } from './client-questions.ts'

const tool = createTool('mcp', 'files', { name: 'wipe', description: 'Wipes.', inputSchema: { type: 'object' } })
const FORM: ClientQuestion = {
  tool,
  question: { kind: 'form', message: 'Sure?', fields: [{ name: 'sure', type: 'boolean', isRequired: true }] },
}
const LINK: ClientQuestion = {
  tool,
  question: { kind: 'url', message: 'Log in', url: 'https://a.example/', host: 'a.example' },
}
const ALL = { form: true, url: true, sample: true }
const until = (): AbortSignal => new AbortController().signal
const accept = (content: object) => ({ action: 'accept', content })

function aClient({ abilities = ALL, waitMs = () => 60_000 }: Partial<ClientQuestionsDeps> = {}) {
  const questions = createClientQuestions({ abilities, waitMs })
  const nextId = async (): Promise<string> => {
    await questions.posed()
    return questions.take(ALL)[0]?.id ?? ''
  }
  return { questions, nextId }
}

test('a question is posed once, under an id that only its answer is taken by', async () => {
  const { questions, nextId } = aClient()
  const answer = questions.ask(FORM, until())
  const id = await nextId()
  expect(questions.take(ALL)).toEqual([])
  questions.answer('question_guessed', accept({ sure: true }))
  expect([questions.has(id), questions.has('question_guessed')]).toEqual([true, false])
  questions.answer(id, accept({ sure: false }))
  questions.answer(id, accept({ sure: true }))
  expect(await answer).toEqual(accept({ sure: false }))
  expect(questions.has(id)).toBe(false)
})

test('what the client says that it cannot be asked goes elsewhere, also where it says so only later', async () => {
  const { questions } = aClient({ abilities: { ...ALL, url: false } })
  expect(await questions.ask(LINK, until())).toBeUndefined()
  const answer = questions.ask(FORM, until())
  await questions.posed()
  expect(questions.take({ ...ALL, form: false })).toEqual([])
  expect(await answer).toBeUndefined()
})

test('an answer that does not fit is asked for again with the reason, a few times', async () => {
  const { questions, nextId } = aClient()
  const answer = questions.ask(FORM, until())
  const id = await nextId()
  for (const problem of ['takes true or false, got "yes"', 'takes true or false, got "yes"']) {
    questions.answer(id, accept({ sure: 'yes' }))
    await questions.posed()
    expect(questions.take(ALL)).toMatchObject([{ id, problem: expect.stringContaining(problem) }])
  }
  questions.answer(id, accept({ sure: 'yes' }))
  expect(await answer).toMatchObject({ action: 'cancel' })
})

test('a client that comes back without an answer is asked again', async () => {
  const { questions, nextId } = aClient()
  void questions.ask(FORM, until())
  const id = await nextId()
  questions.poseAgain()
  expect(await nextId()).toBe(id)
  questions.answer(id, { action: 'decline' })
  questions.poseAgain()
  expect([questions.has(id), questions.take(ALL)]).toEqual([false, []])
})

test('a person who does not answer in time is waited for no longer', async () => {
  const { questions } = aClient({ waitMs: () => 10 })
  expect(await questions.ask(FORM, until())).toMatchObject({ action: 'cancel' })
})

test('a question that is taken back is posed no more, and whoever shows it is told', async () => {
  const { questions } = aClient()
  const stop = new AbortController()
  const answer = questions.ask(FORM, stop.signal)
  await questions.posed()
  const [posed] = questions.take(ALL)
  stop.abort(new Error('the call has ended'))
  await expect(answer).rejects.toThrow('the call has ended')
  expect(posed?.signal.aborted).toBe(true)
  questions.poseAgain()
  expect(questions.take(ALL)).toEqual([])
  await expect(questions.ask(FORM, stop.signal)).rejects.toThrow('the call has ended')
})

test('an error of the client is no answer to a form', async () => {
  const { questions, nextId } = aClient()
  const answer = questions.ask(FORM, until())
  questions.refuse(await nextId(), 'the window was closed')
  expect(await answer).toEqual({ action: 'cancel', reason: 'the window was closed' })
})

test('what somebody else is asked wakes who waits, and is told until it is answered', async () => {
  const { questions } = aClient()
  const pending = { approval: 'apr_1', callId: 'c', tool: 't', title: 'wipe asks', expiresMs: 1 }
  const done = questions.waits(pending)
  await questions.posed()
  expect([questions.take(ALL), questions.elsewhere()]).toEqual([[], [pending]])
  done()
  expect(questions.elsewhere()).toEqual([])
})
