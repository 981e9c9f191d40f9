import { isJsonObject } from '../../../catalog/json.ts'
import { readJson } from '../../../catalog/read-json.ts'
import type { RequestId } from './bridge-message.ts'
import { responseMessages } from './response-messages.ts'

/** One message of the protocol, without its line feed; resolves when the client has room for more. */
export type WriteMessage = (message: string) => Promise<void>

/** Writes out every message of a response; true when one of them answered the request that is waited for. */
export async function writeAnswers(response: Response, write: WriteMessage, awaits?: RequestId): Promise<boolean> {
  let isAnswered = false
  for await (const text of responseMessages(response)) {
    const message = readJson(text)
    const isAnswer = isJsonObject(message) && message['method'] === undefined
    // An error before the request was looked at names no id, and its client waits for one.
    const isNameless = isAnswer && message['id'] === null
    if (isNameless && awaits === undefined) continue
    isAnswered ||= isNameless || (isAnswer && message['id'] === awaits)
    await write(isNameless ? JSON.stringify({ ...message, id: awaits }) : text)
  }
  return isAnswered
}
