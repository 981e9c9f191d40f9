import type { BackgroundWork } from '../../../background-work.ts'
import type { ToolDefinition } from '../../../tool.ts'
import { normalNames } from './lexicon/subject.ts'
import { SCREENED_AT_ONCE_MAX, SCREENED_AT_ONCE_MAX_LENGTH } from './limits.ts'
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
  readonly #work: Pick<BackgroundWork, 'later'>
  readonly #screened = new Map<string, ScreenedTexts>()
  #waiting: readonly HashedTool[] = []
  #names: ReadonlySet<string> = new Set()
  #screening: Promise<void> | undefined
  #isClosed = false

  constructor(work: Pick<BackgroundWork, 'later'>) {
    this.#work = work
  }

  /** Undefined until it is screened. */
  screened(hash: string): ScreenedTexts | undefined {
    return this.#screened.get(hash)
  }

  /** Screens a few at once, more in the background; resolves when all are. What is no longer there is forgotten. */
  screen(tools: readonly HashedTool[]): Promise<void> {
    const present = new Set(tools.map(({ hash }) => hash))
    for (const hash of this.#screened.keys()) if (!present.has(hash)) this.#screened.delete(hash)
    this.#names = normalNames(tools.map(({ definition }) => definition.name))
    const fresh = tools.filter(({ hash }) => !this.#screened.has(hash))
    // Of a long list nobody gains by the first few, and they are not what it is waited for.
    const now = fresh.length > SCREENED_AT_ONCE_MAX ? [] : firstOf(fresh)
    for (const tool of now) this.#screenOne(tool)
    this.#waiting = fresh.slice(now.length)
    if (this.#waiting.length > 0) this.#screening ??= this.#work.later(this.#screenWaiting())
    return this.#screening ?? Promise.resolve()
  }

  close(): void {
    this.#isClosed = true
  }

  /** One a step; a list that comes in meanwhile is gone on with. */
  *#screenWaiting(): Generator<void, void> {
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const waiting = this.#waiting
      for (const tool of waiting) {
        this.#screenOne(tool)
        yield
        if (this.#waiting !== waiting || this.#isClosed) break
      }
      if (this.#waiting === waiting) this.#waiting = []
    }
    this.#screening = undefined
  }

  #screenOne({ hash, definition }: HashedTool): void {
    if (this.#screened.has(hash)) return
    const findings = screenTool(definition, this.#names)
    this.#screened.set(hash, { findings, named: namedTools(definition) })
  }
}

/** As many of the first as are short enough to be read in one go, and one at least: a server chooses how long its texts are. */
function firstOf(tools: readonly HashedTool[]): readonly HashedTool[] {
  let length = 0
  const end = tools.findIndex(({ definition }, at) => {
    length += lengthToRead(definition)
    return length > SCREENED_AT_ONCE_MAX_LENGTH && at > 0
  })
  return end === -1 ? tools : tools.slice(0, end)
}

function lengthToRead(tool: ToolDefinition): number {
  return toolTexts(tool).texts.reduce((sum, { text }) => sum + text.length, 0)
}
