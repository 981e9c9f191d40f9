import { PINS_PER_SERVER_MAX } from './limits.ts'
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

/** Why it waits, and the way out. */
export function heldReason({ server, tool, cause, findings: [first] }: HeldTool): string {
  const named = /^[\w.-]+$/.test(tool) ? tool : JSON.stringify(tool)
  const way = `"drawbridge mcp accept ${server} ${named}" shows it and lets it through`
  switch (cause) {
    case 'changed':
      return `it is not as it was when it was pinned; ${way}`
    case 'too-many':
      return `its server has shown more than ${PINS_PER_SERVER_MAX} different tools; ${way}`
    case 'screening':
      return `screening found ${first?.kind ?? 'something'} in ${first?.place ?? 'it'} (${first?.reason ?? ''}); ${way}`
  }
}
