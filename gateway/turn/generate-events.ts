/**
 * Turns a function that emits into a generator, one event at a time and in order: `emit` resolves once the consumer
 * asks for the next one, so a slow reader slows the producer. A consumer that stops early aborts the producer's signal,
 * and the generator ends only after the producer has. What the producer throws, the generator throws.
 */
export async function* generateEvents<E>(
  produce: (emit: (event: E) => Promise<void>, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<E, void, undefined> {
  const left = new AbortController()
  const handover = createHandover<E>(left.signal)
  const produced = produce(handover.emit, AbortSignal.any([signal, left.signal]))
  const ended = produced.then(handover.end, handover.end)
  try {
    for (;;) {
      const next = await handover.next()
      if (next === undefined) break
      yield next.event
      handover.taken()
    }
    await produced
  } finally {
    left.abort(new DOMException('the consumer left', 'AbortError'))
    await ended
  }
}

function createHandover<E>(left: AbortSignal) {
  let offered = Promise.withResolvers<{ readonly event: E } | undefined>()
  let accepted = Promise.withResolvers<void>()
  let last: Promise<void> = Promise.resolve()
  // Once the consumer has left, nothing must wait for it.
  left.addEventListener('abort', () => accepted.resolve(), { once: true })
  const offer = async (event: E): Promise<void> => {
    if (left.aborted) return
    offered.resolve({ event })
    await accepted.promise
  }
  return {
    // Calls that run side by side emit side by side; each waits for the one before.
    emit: (event: E): Promise<void> => {
      last = last.then(() => offer(event))
      return last
    },
    end: (): void => offered.resolve(undefined),
    next: () => offered.promise,
    taken: (): void => {
      const { resolve } = accepted
      offered = Promise.withResolvers()
      accepted = Promise.withResolvers()
      resolve()
    },
  }
}
