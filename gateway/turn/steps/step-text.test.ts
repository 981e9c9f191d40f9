import { expect, test } from 'vitest'
import type { JsonObject } from '../../../catalog/json.ts'
import type { ModelEvent } from '../../providers/provider.ts'
import { aCall, aModel, aRequest, aTurn, calls, runToEvents, says } from '../fixtures/turn-makers.ts'

const looking: readonly ModelEvent[] = [{ kind: 'text', text: 'Let me look.' }, ...calls(aCall('a', 'one'))]
const answer: readonly ModelEvent[] = [{ kind: 'text', text: '{"a":' }, ...says('1}')]

async function textsOf(parameters: JsonObject): Promise<readonly string[]> {
  const turn = aTurn({ provider: aModel(looking, answer) })
  const events = await runToEvents(aRequest({ parameters }), turn.deps)
  return events.flatMap((event) => (event.kind === 'text' ? [event.text] : []))
}

test.each(['json_object', 'json_schema'])('a client that asked for %s is given the answer alone', async (type) => {
  expect(await textsOf({ response_format: { type } })).toEqual(['{"a":1}'])
})

test('any other is given each word as it comes, that of another step behind a blank line', async () => {
  expect(await textsOf({ response_format: { type: 'text' } })).toEqual(['Let me look.', '\n\n', '{"a":', '1}'])
})

test('an answer in JSON comes as it is written where nothing can be called', async () => {
  const turn = aTurn({ provider: aModel(answer) })
  const request = aRequest({ toolChoice: 'none', parameters: { response_format: { type: 'json_object' } } })
  const events = await runToEvents(request, turn.deps)
  expect(events.filter(({ kind }) => kind === 'text')).toHaveLength(2)
})
