import type { Dispatcher } from 'undici'

/** Status, headers and body as they come off the wire. */
export type HttpAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'statusText' | 'headers' | 'body'>

/** The first of that name; '' where there is none. */
export function headerOf({ headers }: Pick<HttpAnswer, 'headers'>, name: string): string {
  const value = headers[name] ?? ''
  return typeof value === 'string' ? value : (value[0] ?? '')
}
