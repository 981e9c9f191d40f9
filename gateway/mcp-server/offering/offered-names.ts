/** A resource or prompt of one server, as that server calls it. */
export interface Offered {
  readonly server: string
  readonly name: string
}

const SCHEME = 'drawbridge'

/** `drawbridge:<server>:<uri>`; of a template too, whose places stay where they are. */
export function offeredUri({ server, name }: Offered): string {
  return `${SCHEME}:${encodeURIComponent(server)}:${name}`
}

/** Undefined for what is no such address. */
export function readOfferedUri(uri: string): Offered | undefined {
  const [, server, name] = new RegExp(`^${SCHEME}:([^:]+):([^]+)$`).exec(uri) ?? []
  return server === undefined || name === undefined ? undefined : offered(server, name)
}

/** `<server>__<prompt>`, read in one way only: a server's own `__`, and a `_` at its end, are percent-encoded. */
export function offeredPrompt({ server, name }: Offered): string {
  return `${encodeServer(server)}__${name}`
}

export function readOfferedPrompt(text: string): Offered | undefined {
  const at = text.indexOf('__')
  return at <= 0 || at + 2 === text.length ? undefined : offered(text.slice(0, at), text.slice(at + 2))
}

function encodeServer(server: string): string {
  return encodeURIComponent(server).replaceAll('__', '%5F%5F').replace(/_$/, '%5F')
}

function offered(encoded: string, name: string): Offered | undefined {
  try {
    return { server: decodeURIComponent(encoded), name }
  } catch {
    // Not of our making.
    return undefined
  }
}
