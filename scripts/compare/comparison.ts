/** The modes that are compared; `direct` is what the others are measured against. */
export type ComparedMode = 'direct' | 'code' | 'tools'

/** One task through one mode. Bytes are those of the wire to the provider; counts are those of the session log. */
export interface ModeResult {
  readonly mode: ComparedMode
  readonly toolsDeclared: number
  /** Of the `tools` array of one request. */
  readonly toolsBytes: number
  /** Of the `messages` array of the first request. */
  readonly promptBytes: number
  /** The first request, whole. */
  readonly requestBytes: number
  /** All requests of the turn. */
  readonly totalBytes: number
  /** All requests of the turn: four bytes to a token. */
  readonly estimatedTokens: number
  readonly steps: number
  readonly searches: number
  readonly describes: number
  readonly calls: number
  readonly finalTool: string
  readonly finalSource: string
  /** The answer that the client got. */
  readonly result: string
  readonly wallMs: number
}

/** What was seen of a mode beside its figures, for the verdict. */
export interface ModeEvidence {
  readonly result: ModeResult
  /** JSON text of the `tools` array of each request. */
  readonly toolsTexts: readonly string[]
  readonly toolNames: readonly string[]
  /** As the session log has them. */
  readonly logged: { readonly mode: string; readonly toolsDeclared: number; readonly toolsBytes: number }
  /** What the plugin itself wrote down: a line for each call that ran. */
  readonly ran: readonly string[]
}

export interface Comparison {
  readonly tools: number
  readonly modes: readonly ModeResult[]
}
