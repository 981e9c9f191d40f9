import { randomBytes } from 'node:crypto'

/** Ids of calls that go to a client: at most 40 characters, as OpenAI wants them back. */
export function createCallIds(): { readonly key: string; readonly next: () => string } {
  const key = randomBytes(12).toString('hex')
  let count = 0
  return {
    key,
    next: () => {
      count += 1
      return `call_${key}_${count}`
    },
  }
}

/** The key in an id that a client sent back, under which its turn's hidden messages lie; undefined for ids that are not ours. */
export function clientKeyOf(callId: string): string | undefined {
  return /^call_([0-9a-f]{24})_\d{1,5}$/.exec(callId)?.[1]
}
