import { cutTextWithMark } from '../result/cut-text.ts'

const QUOTED_BYTES = 80

/** A value in quotes as JSON text, cut short; for messages. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return cutTextWithMark(text, QUOTED_BYTES)
}
