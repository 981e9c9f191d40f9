import type { CallContext } from '../answering/call-context.ts'

type Notify = CallContext['mcpReq']['notify']

/** Notes of a call that began without a way to its client, until there is one. */
export interface NoteRelay {
  readonly notify: Notify
  /** Resolves with the first note. */
  readonly begun: Promise<void>
  /** From now on they go there, those that came before first. */
  follow(notify: Notify): void
}

export function createNoteRelay(): NoteRelay {
  const early: Parameters<Notify>[0][] = []
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let forward: Notify | undefined
  return {
    async notify(note) {
      if (forward !== undefined) return forward(note)
      early.push(note)
      begin()
    },
    begun,
    follow(notify) {
      forward = notify
      // Whom they do not reach sees as much; the call goes on.
      for (const note of early.splice(0)) notify(note).catch(() => {})
    },
  }
}
