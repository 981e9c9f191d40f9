import type { JSONRPCRequest, Result, ServerContext } from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { isJsonObject } from '../../../catalog/json.ts'
import { readJson } from '../../../catalog/read-json.ts'

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/**
 * The SDK's protocol object, which calls a request that does not have its form a fault of the server's (-32603), with the whole
 * report of its validator; of a call alone it says that the parameters are wrong.
 */
export class AgentProtocol extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    // oxlint-disable-next-line no-underscore-dangle -- the SDK's name of its hook for subclasses
    const wrapped = super._wrapHandler(method, handler)
    if (method === 'tools/call') return wrapped
    return async (request, context) => {
      try {
        return await wrapped(request, context)
      } catch (error) {
        const problems = problemsOf(error)
        if (problems === undefined) throw error
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${method} cannot be read: ${problems}`)
      }
    }
  }
}

/** What the validator found, where that is what was thrown: it gives it as JSON, and no code. */
function problemsOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof ProtocolError) return undefined
  const issues = readJson(error.message)
  if (!Array.isArray(issues) || issues.length === 0) return undefined
  return issues.map((issue) => problemOf(isJsonObject(issue) ? issue : {})).join('; ')
}

function problemOf({ path, message }: Readonly<Record<string, unknown>>): string {
  const at = Array.isArray(path) ? path.join('.') : ''
  const words = typeof message === 'string' ? message.replace(/^Invalid input: /, '') : 'it is not valid'
  return at === '' ? words : `${at}: ${words}`
}
