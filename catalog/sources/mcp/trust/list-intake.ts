import type { BackgroundWork } from '../../../background-work.ts'
import type { ToolDefinition } from '../../../tool.ts'
import type { ReadName } from './names/name-board.ts'
import { readName } from './names/name-board.ts'
import { contentHash, pinnedContent } from './pins/pinned-content.ts'
import type { HashedTool } from './screening-desk.ts'

/** The tools of one server as they are judged: all of them, each with its hash and its name as it is compared. */
export interface ReadList {
  readonly tools: readonly HashedTool[]
  readonly names: readonly ReadName[]
}

/** Reads the lists of servers, a short one at once and a long one between other work. Of each server the last one counts. */
export class ListIntake {
  readonly #work: Pick<BackgroundWork, 'run'>
  readonly #last = new Map<string, { taken: Promise<void> }>()

  constructor(work: Pick<BackgroundWork, 'run'>) {
    this.#work = work
  }

  /** `stand` is given the whole list, and goes on in steps too; unless another has come by then, or the server went. */
  take(server: string, definitions: readonly ToolDefinition[], stand: (list: ReadList) => Iterable<void>): void {
    const list = { taken: Promise.resolve() }
    this.#last.set(server, list)
    list.taken = this.#work.run(this.#steps(server, definitions, stand)) ?? list.taken
    // Not every giver waits for it.
    list.taken.catch(() => {})
  }

  /** Resolves when the last list of a server stands. */
  async taken(server: string): Promise<void> {
    await this.#last.get(server)?.taken
  }

  async settled(): Promise<void> {
    await Promise.all(Array.from(this.#last.values(), ({ taken }) => taken))
  }

  forget(server: string): void {
    this.#last.delete(server)
  }

  *#steps(
    server: string,
    definitions: readonly ToolDefinition[],
    stand: (list: ReadList) => Iterable<void>,
  ): Generator<void, void> {
    const list = this.#last.get(server)
    const tools: HashedTool[] = []
    const names: ReadName[] = []
    for (const definition of definitions) {
      tools.push({ definition, hash: contentHash(pinnedContent(definition)) })
      names.push(readName(definition.name))
      yield
      if (this.#last.get(server) !== list) return
    }
    for (const _ of stand({ tools, names })) {
      yield
      if (this.#last.get(server) !== list) return
    }
  }
}
