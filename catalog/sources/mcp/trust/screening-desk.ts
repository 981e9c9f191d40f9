import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ToolDefinition } from '../../../tool.ts'
import { normalNames } from './lexicon/subject.ts'
import { SCREENED_AT_ONCE_MAX, SCREENED_IN_TURN } from './limits.ts'
import { screenTool } from './screen-tool.ts'
import type { NamedTool } from './names/named-tools.ts'
import { namedTools } from './names/named-tools.ts'
import type { ScreeningFinding } from './screening-finding.ts'

export interface HashedTool {
  readonly hash: string
  readonly definition: ToolDefinition
}

/** What was read in a tool. */
export interface ScreenedTexts {
  readonly findings: readonly ScreeningFinding[]
  /** Tools that its texts speak of. */
  readonly named: readonly NamedTool[]
}

/** The findings of one server's tools, each screened once; the many of a large server between other work. */
export class ScreeningDesk {
  readonly #screened = new Map<string, ScreenedTexts>()
  #waiting: readonly HashedTool[] = []
  #names: ReadonlySet<string> = new Set()
  #work: Promise<void> | undefined
  #isClosed = false

  /** Undefined until it is screened. */
  screened(hash: string): ScreenedTexts | undefined {
    return this.#screened.get(hash)
  }

  /** Screens the first few at once, the rest in the background; resolves when all are. What is no longer there is forgotten. */
  screen(tools: readonly HashedTool[]): Promise<void> {
    const present = new Set(tools.map(({ hash }) => hash))
    for (const hash of this.#screened.keys()) if (!present.has(hash)) this.#screened.delete(hash)
    this.#names = normalNames(tools.map(({ definition }) => definition.name))
    const fresh = tools.filter(({ hash }) => !this.#screened.has(hash))
    for (const tool of fresh.slice(0, SCREENED_AT_ONCE_MAX)) this.#screenOne(tool)
    this.#waiting = fresh.slice(SCREENED_AT_ONCE_MAX)
    if (this.#waiting.length > 0) this.#work ??= this.#screenWaiting()
    return this.#work ?? Promise.resolve()
  }

  close(): void {
    this.#isClosed = true
  }

  async #screenWaiting(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const now = this.#waiting.slice(0, SCREENED_IN_TURN)
      this.#waiting = this.#waiting.slice(SCREENED_IN_TURN)
      for (const tool of now) this.#screenOne(tool)
      await nextTurn()
    }
    this.#work = undefined
  }

  #screenOne({ hash, definition }: HashedTool): void {
    if (this.#screened.has(hash)) return
    const findings = screenTool(definition, this.#names)
    this.#screened.set(hash, { findings, named: namedTools(definition) })
  }
}
