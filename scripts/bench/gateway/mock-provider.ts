// A provider that answers every chat completion with the same stream, in a process of its own, so that its work is not
// the work of whoever measures. Prints its address as one line.
import { createServer } from 'node:http'

const WORDS =
  'The model answers with a sentence of some twenty words so that a turn has as many chunks as short ones have .'
const chunks = WORDS.split(' ').map((word) => ({ content: `${word} ` }))
const frames = [{ role: 'assistant', content: '' }, ...chunks].map((delta) =>
  frame({ choices: [{ index: 0, delta, finish_reason: null }] }),
)
const stream = [
  ...frames,
  frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  frame({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 22, total_tokens: 122 } }),
  'data: [DONE]\n\n',
]

const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const part of stream) response.write(part)
    response.end()
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the mock provider has no port')
  process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})

function frame(part: object): string {
  const head = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'mock-model' }
  return `data: ${JSON.stringify({ ...head, ...part })}\n\n`
}
