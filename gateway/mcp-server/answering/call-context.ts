import type { CallToolResult, InputRequiredResult, ServerContext } from '@modelcontextprotocol/server'

/** What a call needs of the request that it came by. */
export interface CallContext {
  readonly mcpReq: Pick<
    ServerContext['mcpReq'],
    '_meta' | 'envelope' | 'inputResponses' | 'requestState' | 'signal' | 'notify' | 'send'
  >
  readonly http?: { readonly req?: Pick<Request, 'signal'> | undefined } | undefined
}

/** The end of a call, or what its client is asked first. */
export type Answer = CallToolResult | InputRequiredResult
