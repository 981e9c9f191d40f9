import { setTimeout as pause } from 'node:timers/promises'
import { isJsonObject } from '../../../catalog/json.ts'
import { readJson } from '../../../catalog/read-json.ts'
import { PROGRESS_GAP_MS } from '../limits.ts'
import type { RequestId } from './bridge-message.ts'
import { responseMessages } from './response-messages.ts'

/** One message of the protocol, without its line feed; resolves when the client has room for more. */
export type WriteMessage = (message: string) => Promise<void>

/**
 * Writes out every message of a response; true when one of them answered the request that is waited for. An answer stays a little
 * behind the last step of progress: clients made with the SDK read what comes in one piece at once and attend to the answer in it
 * first, so that the step is one of a call that they do not know any more, an error at which some give the server up.
 */
export async function writeAnswers(response: Response, write: WriteMessage, awaits?: RequestId): Promise<boolean> {
  let isAnswered = false
  let steppedMs = Number.NEGATIVE_INFINITY
  for await (const text of responseMessages(response)) {
    const message = readJson(text)
    const isAnswer = isJsonObject(message) && message['method'] === undefined
    // An error before the request was looked at names no id, and its client waits for one.
    const isNameless = isAnswer && message['id'] === null
    if (isNameless && awaits === undefined) continue
    isAnswered ||= isNameless || (isAnswer && message['id'] === awaits)
    const gapMs = steppedMs + PROGRESS_GAP_MS - performance.now()
    if (isAnswer && gapMs > 0) await pause(Math.ceil(gapMs))
    await write(isNameless ? JSON.stringify({ ...message, id: awaits }) : text)
    if (isJsonObject(message) && message['method'] === 'notifications/progress') steppedMs = performance.now()
  }
  return isAnswered
}
