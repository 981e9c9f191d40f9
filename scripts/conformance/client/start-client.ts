import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { AskPerson } from '../../../catalog/question.ts'
import { McpConnectError } from '../../../catalog/sources/mcp/errors.ts'
import type { LoginVault } from '../../../catalog/sources/mcp/login/server-login.ts'
import { createMcpSource } from '../../../catalog/sources/mcp/mcp-source.ts'
import type { HttpServerConfig } from '../../../catalog/sources/mcp/server-config.ts'
import type { SourceState } from '../../../catalog/source.ts'
import type { ToolDefinition } from '../../../catalog/tool.ts'
import { packageVersion } from '../../../gateway/version.ts'

/** The source of the gateway's tools, with one server. */
export interface ClientUnderTest {
  /** Resolves with why it is down, or with nothing when it is ready. */
  readyOrDown(): Promise<string | undefined>
  tools(): readonly ToolDefinition[]
  /** Why it could not be called, where that is for a login to mend. */
  call(name: string, args: JsonObject): Promise<string | undefined>
  close(): Promise<void>
}

const SERVER = 'suite'
/** Half of what the suite waits for all. */
const STATE_BUDGET_MS = 60_000

export interface ClientDeps {
  readonly logins: LoginVault
  readonly log: (line: string) => void
}

export function startClient(config: HttpServerConfig, { logins, log }: ClientDeps): ClientUnderTest {
  let tools: readonly ToolDefinition[] = []
  const state = Promise.withResolvers<SourceState>()
  const source = createMcpSource({
    servers: { [SERVER]: config },
    log: ({ level, message }) => log(`${level}: ${message}`),
    now: Date.now,
    clientInfo: { name: 'drawbridge', version: packageVersion() },
    logins,
  })
  source.start({
    setTools: (_source, _owner, definitions) => {
      tools = definitions
    },
    setState: (_source, _owner, next) => {
      if (next.kind !== 'connecting') state.resolve(next)
    },
    taken: async () => {},
    removeOwner: () => {
      tools = []
    },
  })
  return {
    async readyOrDown() {
      const settled = await Promise.race([state.promise, timeout()])
      return settled.kind === 'down' ? settled.reason : undefined
    },
    tools: () => tools,
    async call(name, args) {
      const execute = tools.find((tool) => tool.name === name)?.execute
      if (execute === undefined) throw new Error(`there is no tool "${name}"`)
      const caller = { tenant: 'conformance', agent: 'default' }
      const signal = AbortSignal.timeout(STATE_BUDGET_MS)
      try {
        const result = await execute(args, { callId: 'call', caller, signal, ask: acceptWhatIsProposed })
        log(`${name}: ${JSON.stringify(result)}`)
        return undefined
      } catch (error) {
        if (!(error instanceof Error)) throw error
        log(`${name}: ${error.message}`)
        return isForLogin(error) ? error.message : undefined
      }
    },
    close: () => source.close(),
  }
}

/** The person of the caller: agrees, and leaves every field as it came. */
const acceptWhatIsProposed: AskPerson = async (question) => {
  const { properties } = question.kind === 'form' ? question.schema : {}
  const fields = isJsonObject(properties) ? Object.entries(properties) : []
  const proposed = fields.flatMap(([name, field]) => {
    const value = isJsonObject(field) ? field['default'] : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  return { action: 'accept', content: Object.fromEntries(proposed) }
}

const LOGIN_CODES: readonly string[] = ['needs-login', 'insufficient-scope', 'unauthorized']

function isForLogin(error: Error): boolean {
  for (let cause: unknown = error; cause instanceof Error; { cause } = cause) {
    if (cause instanceof McpConnectError) return LOGIN_CODES.includes(cause.code)
  }
  return false
}

function timeout(): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  setTimeout(() => reject(new Error('the server is neither ready nor down')), STATE_BUDGET_MS).unref()
  return promise
}
