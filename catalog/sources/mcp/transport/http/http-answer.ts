import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'

export type HttpHead = Pick<Dispatcher.ResponseData, 'statusCode' | 'statusText' | 'headers'>

/** Status, headers and body as they come off the wire. */
export interface HttpAnswer extends HttpHead {
  readonly body: Readable
}

/** One that was read to its end. */
export interface GatheredAnswer extends HttpHead {
  readonly text: string
}

/** The first of that name; '' where there is none. */
export function headerOf({ headers }: Pick<HttpHead, 'headers'>, name: string): string {
  const value = headers[name] ?? ''
  return typeof value === 'string' ? value : (value[0] ?? '')
}
