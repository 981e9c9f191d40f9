import { isJsonObject } from '../../../catalog/json.ts'
import { DRAIN_MS, ENDING_SILENCE_MS } from '../limits.ts'
import type { PostStep, StepBody } from './post-step.ts'
import type { Chunk } from './read-chunk.ts'
import { readChunk } from './read-chunk.ts'
import type { ServerEvent } from './read-events.ts'
import { readEvents } from './read-events.ts'
import type { SilenceDeadline } from './silence-deadline.ts'

/** An error that came as an event of a stream, which has no status line. */
export class ErrorFrame extends Error {
  override readonly name = 'ErrorFrame'
  readonly body: unknown
  constructor(body: unknown) {
    super('the upstream sent an error in its stream')
    this.body = body
  }
}

/** A page for people came where an answer was asked for. */
export class PageAnswer extends Error {
  override readonly name = 'PageAnswer'
}

/**
 * The chunks of one answer as they come. The client library sends and retries the request; the body is read here,
 * because the library closes the connection at `[DONE]`, and a new one for each model step costs a handshake.
 */
export async function* openChunks(post: PostStep, body: StepBody, deadline: SilenceDeadline): AsyncGenerator<Chunk> {
  const { signal } = deadline.controller
  const response = await post(body, signal)
  deadline.touch()
  // A server that cannot stream answers with one whole completion.
  if (response.headers.get('content-type')?.includes('application/json') === true) {
    yield { ...chunkOf(await response.text()), isLast: true }
    return
  }
  refusePage(response)
  const reader = response.body?.getReader()
  if (!reader) return
  let isDone = false
  let isWhole = false
  const heard = (): void => deadline.touch(isWhole ? ENDING_SILENCE_MS : undefined)
  const isEnough = (): boolean => isWhole && (!signal.aborted || deadline.isExpired())
  try {
    for await (const event of untilBroken(readEvents(heardReader(reader, heard)), isEnough)) {
      isDone = event.data.trim() === '[DONE]'
      if (isDone) {
        yield { text: '', fragments: [], isLast: true }
        break
      }
      // A word that keeps the connection alive, where others send a comment.
      if (/^[a-z: _-]*$/i.test(event.data) && event.name !== 'error') continue
      const chunk = chunkOf(event.data, event.name)
      isWhole ||= chunk.finish !== undefined
      yield chunk
    }
  } finally {
    if (isDone) drain(reader)
    else await reader.cancel().catch(() => undefined)
  }
}

type Bytes = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read'>

/** Whatever comes shows that somebody is there: comments of a proxy, and an event that is still on its way. */
function heardReader(reader: Bytes, heard: () => void): Bytes {
  return {
    async read() {
      heard()
      const part = await reader.read()
      heard()
      return part
    },
  }
}

/**
 * After the reason to finish only token counts and the end can come. A server that then resets its connection, or leaves it
 * open, has given the whole answer.
 */
async function* untilBroken(
  events: AsyncGenerator<ServerEvent>,
  isEnough: () => boolean,
): AsyncGenerator<ServerEvent, void, undefined> {
  try {
    yield* events
  } catch (error) {
    if (!isEnough()) throw error
  }
}

function chunkOf(data: string, name = 'message'): Chunk {
  const value: unknown = JSON.parse(data)
  // vLLM and its kin send the error itself, and call it an object of that kind.
  const isError = isJsonObject(value) && value['object'] === 'error'
  const error = isError ? value : isJsonObject(value) ? value['error'] : undefined
  if (name === 'error' || (error !== undefined && error !== null)) throw new ErrorFrame(error ?? value)
  return readChunk(value)
}

/** The page of a proxy, or of a server whose API is at another path. */
function refusePage({ headers }: Response): void {
  if (headers.get('content-type')?.includes('text/html') === true) throw new PageAnswer()
}

/** Reads a finished answer to its very end, which frees the connection for the next step, but waits for none that lingers. */
function drain(reader: ReadableStreamDefaultReader<Uint8Array>): void {
  const giveUp = setTimeout(() => {
    reader.cancel().catch(() => undefined)
  }, DRAIN_MS)
  giveUp.unref()
  const readOn = async (): Promise<void> => {
    for (let end = false; !end;) end = (await reader.read()).done
  }
  // The answer is whole: how its connection ends is nobody's concern any more.
  readOn().then(
    () => clearTimeout(giveUp),
    () => clearTimeout(giveUp),
  )
}
