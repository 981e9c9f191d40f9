import type { Caller } from './caller.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { AskPerson } from './question.ts'
import { hashJson } from './json.ts'
import type { SourceKind, ToolId } from './tool-id.ts'
import { safeName, toolId } from './tool-id.ts'

/** Hints of the Model Context Protocol. They come from the tool's author: a statement, not a guarantee. */
export type ToolAnnotations = {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

// Types, not interfaces, so that the compiler sees them as JSON.
export type ToolIcon = {
  readonly src: string
  readonly mimeType?: string
  readonly sizes?: readonly string[]
  readonly theme?: 'light' | 'dark'
}

/** What a source says of a tool to those who list tools on a screen; no model is shown it. */
export type ToolListing = {
  readonly icons?: readonly ToolIcon[]
  /** `_meta` of the Model Context Protocol, as it came. */
  readonly meta?: JsonObject
}

/** What a source says of a tool; the catalog makes a `Tool` of it. */
export interface ToolDefinition {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: ToolAnnotations
  /** Whether the model's provider is to hold the model to the schema; said of tools that a client brings. */
  readonly strict?: boolean
  /** Example arguments, each valid against the input schema. */
  readonly examples?: readonly JsonObject[]
  readonly listing?: ToolListing
  /** Longest time of one call, in milliseconds, where the gateway's own bound does not fit. */
  readonly deadlineMs?: number
  /** Why its source gives it and does not let it be used; the catalog keeps it in quarantine. */
  readonly withheld?: ToolWithheld
  /** Absent on client tools: only the client can run them. */
  readonly execute?: ToolExecute
}

export interface ToolWithheld {
  readonly reason: string
  /** A person can let it through. */
  readonly awaits?: 'accept'
}

export interface Tool extends ToolDefinition {
  readonly id: ToolId
  readonly source: SourceKind
  readonly owner: string
  readonly annotations: ToolAnnotations
  /** Name that providers see where tools are shown themselves; a function of the id alone. */
  readonly safeName: string
  /** Hash of input and output schema; what a call is admitted and approved against. */
  readonly schemaHash: string
}

/** `artifact` is the handle that the bytes were kept under, where they were. */
export type ContentBlock = BlockKind & {
  /** What the protocol lets be said of it beside, e.g. `annotations`: for a client of the protocol, and no part of a value. */
  readonly details?: JsonObject
}

type BlockKind =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string; readonly artifact?: string }
  | {
      readonly type: 'resource_link'
      readonly uri: string
      readonly name?: string
      readonly mimeType?: string
      /** What it leads to, where that could be read. */
      readonly linked?: { readonly mimeType?: string; readonly text?: string; readonly blob?: string }
      readonly artifact?: string
    }
  | {
      readonly type: 'resource'
      readonly resource: {
        readonly uri: string
        readonly mimeType?: string
        readonly text?: string
        readonly blob?: string
      }
      readonly artifact?: string
    }

/** What a tool gives back. `isError` is the tool's own failure (outcome `failed`). */
export interface ToolResult {
  readonly content: readonly ContentBlock[]
  readonly structured?: JsonValue
  readonly isError?: boolean
}

/** A step of a call that takes long, as its tool tells it. */
export interface CallProgress {
  /** Grows from step to step. */
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

export interface ExecuteContext {
  /** Unique; hooks, receipts and logs name the call by it. */
  readonly callId: string
  /** Whom the call is made for. */
  readonly caller: Caller
  /** Told of each step; absent where nobody listens. */
  readonly onProgress?: (step: CallProgress) => void
  /**
   * Asks the caller's person something in the middle of the call, whose deadline stands still meanwhile; absent where
   * nobody can be asked.
   */
  readonly ask?: AskPerson
  /** Aborted at the deadline, when the caller leaves, and when the gateway stops. */
  readonly signal: AbortSignal
}

/**
 * Runs a tool. May throw: the message (redacted, at most 2 KB, no stack) becomes outcome `failed`.
 * A thrown `ToolUnavailable` says that nothing was tried, a `ToolTimedOut` that the answer did not come in time.
 */
export type ToolExecute = (args: JsonObject, context: ExecuteContext) => Promise<ToolResult>

/** Thrown by `execute` when the tool's server cannot be reached and no effect can have happened. */
export class ToolUnavailable extends Error {
  override readonly name = 'ToolUnavailable'
}

/** Thrown by `execute` when its own wait for an answer ran out: the outcome is `timed-out`. */
export class ToolTimedOut extends Error {
  override readonly name = 'ToolTimedOut'
  readonly code = 'idle-timeout'
}

export function createTool(source: SourceKind, owner: string, definition: ToolDefinition): Tool {
  return {
    ...definition,
    id: toolId(source, owner, definition.name),
    source,
    owner,
    annotations: definition.annotations ?? {},
    safeName: safeName(source, owner, definition.name),
    schemaHash: schemaHashOf(definition),
  }
}

function schemaHashOf(definition: ToolDefinition): string {
  return hashJson({ input: definition.inputSchema, output: definition.outputSchema ?? null })
}
