import type { PinnedContent } from './pins/pinned-content.ts'
import type { ScreeningFinding } from './screening-finding.ts'

/** A tool that waits for a person; or a prompt, a resource or instructions of a server. */
export interface HeldTool {
  readonly server: string
  /** Its name by `pinName`; `prompts/<name>`, `resources/<uri>` or `instructions` for what is no tool. */
  readonly tool: string
  readonly id: string
  /** What an acceptance has to name, so that what was looked at is what is let through. */
  readonly hash: string
  readonly cause: 'changed' | 'screening' | 'too-many'
  readonly content: PinnedContent
  readonly findings: readonly ScreeningFinding[]
}
