import type { Caller } from '../../catalog/caller.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { AskClient } from './ask-client.ts'

/** A call that its tool asks a question of. */
export interface AskedCall {
  readonly callId: string
  readonly caller: Caller
  readonly tool: Tool
  /** The how manieth question of this call it is, from 1. */
  readonly number: number
  /** Absent where the call has no client that can be asked. */
  readonly askClient?: AskClient
}
