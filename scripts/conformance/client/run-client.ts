import { isJsonObject } from '../../../catalog/json.ts'
import type { JsonObject } from '../../../catalog/json.ts'
import type { HttpServerConfig } from '../../../catalog/sources/mcp/server-config.ts'
import { createLoginPerson } from './login-person.ts'
import { sampleArguments } from './sample-arguments.ts'
import type { ClientUnderTest } from './start-client.ts'
import { startClient } from './start-client.ts'

export interface ClientRun {
  /** Of the suite's server. */
  readonly url: string
  /** What the suite says more, as JSON: a client that is registered, the calls to make. */
  readonly context: string
  readonly log: (line: string) => void
}

/** The document that the suite's authorization server takes as a client's own. */
const CLIENT_METADATA_URL = 'https://conformance-test.local/client-metadata.json'

/**
 * Connects as the gateway does, logs in where the server wants it, as a person would by "drawbridge mcp login", and calls
 * every tool once.
 * @throws {Error} when the server does not come up, or a login does not help
 */
export async function runClient({ url, context: text, log }: ClientRun): Promise<void> {
  const context = readContext(text)
  const config: HttpServerConfig = { url, oauth: oauthSettings(context) }
  const person = createLoginPerson(config)
  /** A person logs in for each reason, once more for one that comes back, and gives up where that mends nothing. */
  const connect = async (reasons: readonly string[]): Promise<void> => {
    const client = startClient(config, { logins: person.vault, log })
    const reason = await served(client, context).finally(() => client.close())
    if (reason === undefined) return
    log(reason)
    if (reasons.filter((earlier) => earlier === reason).length === 2) throw new Error('a login did not help')
    await person.logIn(reason)
    await connect([...reasons, reason])
  }
  try {
    await connect([])
  } finally {
    person.close()
  }
}

/** Why a login is wanted, where one is. */
async function served(client: ClientUnderTest, context: JsonObject): Promise<string | undefined> {
  const down = await client.readyOrDown()
  if (down !== undefined) return down
  const calls = isCalls(context['toolCalls']) ? context['toolCalls'] : client.tools().map(sampleCall)
  for (const { name, arguments: args } of calls) {
    const reason = await client.call(name, args)
    if (reason !== undefined) return reason
  }
  return undefined
}

function sampleCall({ name, inputSchema }: { readonly name: string; readonly inputSchema: JsonObject }) {
  return { name, arguments: sampleArguments(inputSchema) }
}

function isCalls(value: unknown): value is readonly { readonly name: string; readonly arguments: JsonObject }[] {
  return Array.isArray(value)
}

function readContext(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  return isJsonObject(value) ? value : {}
}

/** As an operator would write it down who was given a client by hand. */
function oauthSettings({ client_id: clientId, client_secret: clientSecret }: JsonObject) {
  return {
    clientMetadataUrl: CLIENT_METADATA_URL,
    ...(typeof clientId === 'string' && { clientId }),
    ...(typeof clientSecret === 'string' && { clientSecret }),
  }
}
