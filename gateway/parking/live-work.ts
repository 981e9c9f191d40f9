/** What is under way in this process, so that one piece of work is never gone on with twice at once. */
export interface LiveWork {
  /** Waits until nobody else is at it. Call what it gives when the work has ended or is parked. */
  enter(tenant: string, id: string): Promise<() => void>
  /** The same at once, or undefined while somebody is at it. */
  tryEnter(tenant: string, id: string): (() => void) | undefined
  isLive(tenant: string, id: string): boolean
}

/** `onLeft` is told of each piece of work that nobody is at any more. */
export function createLiveWork(onLeft: (tenant: string, id: string) => void): LiveWork {
  const live = new Map<string, Promise<void>>()
  const begin = (tenant: string, id: string): (() => void) => {
    const key = JSON.stringify([tenant, id])
    const { promise, resolve } = Promise.withResolvers<void>()
    live.set(key, promise)
    let hasLeft = false
    return () => {
      if (hasLeft) return
      hasLeft = true
      live.delete(key)
      resolve()
      onLeft(tenant, id)
    }
  }
  return {
    async enter(tenant, id) {
      const key = JSON.stringify([tenant, id])
      for (let before = live.get(key); before !== undefined; before = live.get(key)) await before
      return begin(tenant, id)
    },
    tryEnter: (tenant, id) => (live.has(JSON.stringify([tenant, id])) ? undefined : begin(tenant, id)),
    isLive: (tenant, id) => live.has(JSON.stringify([tenant, id])),
  }
}
