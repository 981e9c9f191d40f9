import type { FetchLike } from '@modelcontextprotocol/client'
import { readJsonObject } from '../../../read-json.ts'

export interface DiscoveryFetch {
  readonly fetch: FetchLike
  /** The status of the last place that could not answer; undefined where each did. */
  troubleStatus(): number | undefined
}

/**
 * The same `fetch` for the well-known places of a server. Web applications answer every path with their page, and those that
 * are mounted below a path have their places below it too: what is no object of JSON is not there, and is looked for in
 * the other place. A place that fails costs itself alone.
 */
export function createDiscoveryFetch(fetch: FetchLike): DiscoveryFetch {
  let trouble: number | undefined

  async function look(url: URL, init: RequestInit | undefined): Promise<Response | undefined> {
    const response = await fetch(url, init)
    const { status, headers } = response
    // Where the SDK follows it, or not.
    if (status >= 300 && status < 400) return response
    const text = await response.text()
    if (status >= 500 || status === 429) trouble = status
    return response.ok && readJsonObject(text) !== undefined ? new Response(text, { status, headers }) : undefined
  }

  return {
    async fetch(input, init) {
      const url = new URL(input)
      const other = belowPath(url)
      const found = (await look(url, init)) ?? (other && (await look(other, init)))
      return found ?? new Response(null, { status: 404 })
    },
    troubleStatus: () => trouble,
  }
}

/** `/a/.well-known/x` for `/.well-known/x/a`; of OpenID Connect the SDK looks there by itself. */
function belowPath(url: URL): URL | undefined {
  const [, name, path] = /^\/\.well-known\/(oauth-[a-z-]+)(\/.+)$/.exec(url.pathname) ?? []
  return name === undefined || path === undefined ? undefined : new URL(`${path}/.well-known/${name}`, url)
}
