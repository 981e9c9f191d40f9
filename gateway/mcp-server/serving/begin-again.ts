import type { AuthInfo } from '@modelcontextprotocol/server'
import type { JsonObject } from '../../../catalog/json.ts'
import type { Session } from './create-session.ts'
import type { SessionStart } from './session-ids.ts'

/** Takes a session to where its client has it: its handshake is said once more, unheard. False where it is refused. */
export async function beginAgain(
  { transport, teller }: Session,
  { initialize }: SessionStart,
  authInfo: AuthInfo,
): Promise<boolean> {
  const say = async (message: JsonObject): Promise<boolean> => {
    const parsedBody = { jsonrpc: '2.0', ...message }
    const response = await transport.handleRequest(handshakeOf(transport.sessionId), { authInfo, parsedBody })
    await response.text()
    return response.ok
  }
  if (!(await say({ id: 'begin-again', method: 'initialize', params: initialize }))) return false
  if (!(await say({ method: 'notifications/initialized' }))) return false
  // What changed meanwhile was told to nobody.
  teller.changed()
  return true
}

function handshakeOf(sessionId: string | undefined): Request {
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
    },
  })
}
