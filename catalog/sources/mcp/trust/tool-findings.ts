import { FINDINGS_MAX } from './limits.ts'
import type { ReadName } from './names/name-board.ts'
import { NameBoard, ownedBy } from './names/name-board.ts'
import type { HashedTool, ScreeningDesk } from './screening-desk.ts'
import type { ScreeningFinding } from './screening-finding.ts'

/** A server with its tools, as far as they are screened. */
export interface ScreenedServer {
  readonly name: string
  readonly desk: Pick<ScreeningDesk, 'screened'>
}

/** What is found in the tools of servers: in each by itself, and between it and the tools of other servers and of plugins. */
export class ToolFindings {
  readonly #names = new NameBoard()

  /** The names of the tools that a server or plugin has now. */
  setNames(source: 'mcp' | 'plugin', owner: string, names: readonly ReadName[]): void {
    this.#names.set(ownedBy(source, owner), names)
  }

  removeNames(source: 'mcp' | 'plugin', owner: string): void {
    this.#names.remove(ownedBy(source, owner))
  }

  /** Undefined until the tool is screened. */
  of(server: ScreenedServer, tool: HashedTool): readonly ScreeningFinding[] | undefined {
    const screened = server.desk.screened(tool.hash)
    return screened && [...screened.findings, ...this.#amongNames(server, tool)].slice(0, FINDINGS_MAX)
  }

  /** Which of a server's tools have to do with those of others. */
  entangled(server: ScreenedServer, tools: readonly HashedTool[]): string {
    return tools
      .filter((tool) => this.#amongNames(server, tool).length > 0)
      .map(({ hash }) => hash)
      .join(' ')
  }

  #amongNames({ name: server, desk }: ScreenedServer, { hash, definition }: HashedTool): readonly ScreeningFinding[] {
    const named = desk.screened(hash)?.named ?? []
    return this.#names.findings({ owner: ownedBy('mcp', server), name: definition.name, named })
  }
}
