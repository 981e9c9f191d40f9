import { randomUUID } from 'node:crypto'
import type { JsonObject, JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { readJson } from '../../../catalog/read-json.ts'
import type { Seal } from '../../state/seal.ts'
import { CLIENT_WORD_MAX_LENGTH, OPENED_AGAIN_MAX } from '../limits.ts'

/** What a session begins with. */
export interface SessionStart {
  readonly tokenId: string
  readonly agent: string
  readonly readsStreams: boolean
  /** The parameters of `initialize`, without what nothing here goes by. */
  readonly initialize: JsonObject
}

export interface SessionIds {
  mint(start: SessionStart): string
  /** What a session of an earlier process began with; undefined for one of this process, and for what is no id of ours. */
  startOf(id: string): SessionStart | undefined
  /** Its session is opened again: from now on it is one of this process. */
  openedAgain(id: string): void
}

/**
 * Ids that hold, sealed, what their session began with. The specification has a client whose session is gone `initialize` a
 * new one, and most clients do not: to them a restart of the gateway would be the end, until a person restarts them. With the start
 * in its id a session is opened again by the first request after it. The key is that of the state directory; what opens is no more
 * than its token could open anew.
 */
export function createSessionIds(seal: Pick<Seal, 'seal' | 'open'>): SessionIds {
  const madeBy = randomUUID().slice(0, 8)
  /** In order of opening. */
  const openedAgain = new Set<string>()
  return {
    mint({ initialize, ...start }) {
      const kept = { ...start, initialize: keptOf(initialize), madeBy }
      return PREFIX + Buffer.from(seal.seal(Buffer.from(JSON.stringify(kept)), PURPOSE)).toString('base64url')
    },
    startOf(id) {
      if (openedAgain.has(id)) return undefined
      const kept = opened(id, seal)
      // What began here and is not there has ended.
      if (!isJsonObject(kept) || kept['madeBy'] === madeBy) return undefined
      const { tokenId, agent, readsStreams, initialize } = kept
      if (typeof tokenId !== 'string' || typeof agent !== 'string' || !isJsonObject(initialize)) return undefined
      return { tokenId, agent, readsStreams: readsStreams === true, initialize }
    },
    openedAgain(id) {
      openedAgain.add(id)
      const [oldest] = openedAgain
      if (openedAgain.size > OPENED_AGAIN_MAX && oldest !== undefined) openedAgain.delete(oldest)
    },
  }
}

const PREFIX = 'mcp_'
const PURPOSE = 'mcp-session'

function opened(id: string, seal: Pick<Seal, 'open'>): JsonValue | undefined {
  const sealed = Buffer.from(id.slice(PREFIX.length), 'base64url')
  // Node reads base64 with whatever stands in it: one seal would be any number of ids, and of sessions.
  if (id !== PREFIX + sealed.toString('base64url')) return undefined
  try {
    return readJson(Buffer.from(seal.open(sealed, PURPOSE)).toString())
  } catch {
    // Of another state directory, of an older gateway, or made up.
    return undefined
  }
}

/** An id goes with each request: no more than what is gone by, and no text that is as long as a client likes. */
function keptOf({ protocolVersion, capabilities, clientInfo }: JsonObject): JsonObject {
  const info = isJsonObject(clientInfo) ? clientInfo : {}
  return {
    protocolVersion: wordOf(protocolVersion),
    capabilities: isJsonObject(capabilities) ? abilities(capabilities, ABILITIES) : {},
    clientInfo: { name: wordOf(info['name']), version: wordOf(info['version']) },
  }
}

interface Abilities {
  readonly [name: string]: Abilities
}

/** What a client may be asked, by its specification. */
const ABILITIES: Abilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
}

function abilities(said: JsonObject, known: Abilities): JsonObject {
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, within]) => {
      const value = said[name]
      return isJsonObject(value) ? [[name, abilities(value, within)]] : []
    }),
  )
}

function wordOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.replaceAll(LONG_IN_JSON, '').slice(0, CLIENT_WORD_MAX_LENGTH) : ''
}

/** What is more than one byte in JSON. */
const LONG_IN_JSON = /[^ !#-[\]-~]/g
