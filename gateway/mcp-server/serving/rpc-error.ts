/** An error before any message was looked at; it answers no id. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: object
}

export function rpcError(status: number, error: RpcError, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status, headers })
}
