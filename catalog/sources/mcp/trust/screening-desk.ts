import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ToolDefinition } from '../../../tool.ts'
import { normalNames } from './lexicon/subject.ts'
import {
  SCREENED_AT_ONCE_MAX,
  SCREENED_AT_ONCE_MAX_LENGTH,
  SCREENED_IN_TURN,
  SCREENED_IN_TURN_MAX_LENGTH,
} from './limits.ts'
import { screenTool } from './screen-tool.ts'
import type { NamedTool } from './names/named-tools.ts'
import { namedTools } from './names/named-tools.ts'
import type { ScreeningFinding } from './screening-finding.ts'
import { toolTexts } from './text/tool-texts.ts'

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
    const now = firstOf(fresh, { count: SCREENED_AT_ONCE_MAX, length: SCREENED_AT_ONCE_MAX_LENGTH })
    for (const tool of now) this.#screenOne(tool)
    this.#waiting = fresh.slice(now.length)
    if (this.#waiting.length > 0) this.#work ??= this.#screenWaiting()
    return this.#work ?? Promise.resolve()
  }

  close(): void {
    this.#isClosed = true
  }

  async #screenWaiting(): Promise<void> {
    for (;;) {
      await nextTurn()
      if (this.#waiting.length === 0 || this.#isClosed) break
      const now = firstOf(this.#waiting, { count: SCREENED_IN_TURN, length: SCREENED_IN_TURN_MAX_LENGTH })
      this.#waiting = this.#waiting.slice(now.length)
      for (const tool of now) this.#screenOne(tool)
    }
    this.#work = undefined
  }

  #screenOne({ hash, definition }: HashedTool): void {
    if (this.#screened.has(hash)) return
    const findings = screenTool(definition, this.#names)
    this.#screened.set(hash, { findings, named: namedTools(definition) })
  }
}

/** As many of the first as are few and short enough to be read in one go, and one at least: a server chooses how long its texts are. */
function firstOf(
  tools: readonly HashedTool[],
  most: { readonly count: number; readonly length: number },
): readonly HashedTool[] {
  const first: HashedTool[] = []
  let length = 0
  for (const tool of tools.slice(0, most.count)) {
    length += lengthToRead(tool.definition)
    if (length > most.length && first.length > 0) break
    first.push(tool)
  }
  return first
}

function lengthToRead(tool: ToolDefinition): number {
  return toolTexts(tool).texts.reduce((sum, { text }) => sum + text.length, 0)
}
