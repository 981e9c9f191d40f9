import type { BackgroundWork } from '../../../background-work.ts'
import type { SourceSink } from '../../../source.ts'
import { toolId } from '../../../tool-id.ts'
import type { ToolDefinition } from '../../../tool.ts'
import type { Acceptance, LookedAt } from './compare-looked-at.ts'
import { acceptedPins, compareLookedAt } from './compare-looked-at.ts'
import type { HeldTool } from './held-tool.ts'
import { heldReason } from './held-tool.ts'
import { normalNames } from './lexicon/subject.ts'
import { judgeList } from './judge-list.ts'
import { WARNED_MAX } from './limits.ts'
import type { ReadList } from './list-intake.ts'
import { ListIntake } from './list-intake.ts'
import { readName } from './names/name-board.ts'
import type { OfferGate } from './offers/offer-gate.ts'
import { createOfferGate } from './offers/offer-gate.ts'
import type { ToolPins } from './pins/tool-pins.ts'
import type { HashedTool } from './screening-desk.ts'
import { ScreeningDesk } from './screening-desk.ts'
import type { ScreeningFinding } from './screening-finding.ts'
import { ToolFindings } from './tool-findings.ts'
import type { TrustRules } from './trust-rules.ts'

export interface TrustGateDeps {
  readonly sink: SourceSink
  readonly pins: ToolPins
  readonly rules: () => TrustRules
  readonly now: () => number
  readonly warn: (server: string, message: string) => void
  readonly work: Pick<BackgroundWork, 'run' | 'later'>
}

export interface TrustGate {
  /**
   * Where an MCP source puts its tools; those that wait for a person reach the catalog as withheld. Those of plugins pass:
   * only the names of servers' tools are compared with theirs.
   */
  readonly sink: SourceSink
  /** Where what else servers offer passes on its way to clients. */
  readonly offers: Pick<OfferGate, 'screened' | 'isEnforced' | 'isWithheld'>
  /** What screening found in a tool, whether it is withheld or not; and in prompts, resources and instructions that passed. */
  findings(): readonly { readonly id: string; readonly findings: readonly ScreeningFinding[] }[]
  findingsOf(id: string): readonly ScreeningFinding[]
  held(): readonly HeldTool[]
  /** Lets what waits of a server through as it was looked at: each with the hash that it had then. */
  accept(server: string, tools: readonly LookedAt[], by: string): Promise<Acceptance>
  /** The rules may have changed. */
  update(): void
  /** Every tool that is here now has been screened. */
  settled(): Promise<void>
  close(): void
}

/** Stands between MCP servers and the catalog: screens tools, pins them, and withholds what a person has to look at. */
export function createTrustGate(deps: TrustGateDeps): TrustGate {
  return new McpTrustGate(deps)
}

interface Server {
  readonly name: string
  readonly desk: ScreeningDesk
  tools: readonly HashedTool[]
  held: ReadonlyMap<string, HeldTool>
  work: Promise<void>
  /** The rules that the catalog has its tools by. */
  rules: string
  /** Its tools that have to do with those of other servers, as the catalog has them. */
  entangled: string
}

class McpTrustGate implements TrustGate {
  readonly sink: SourceSink
  readonly offers: OfferGate
  readonly #deps: TrustGateDeps
  readonly #intake: ListIntake
  readonly #servers = new Map<string, Server>()
  readonly #findings = new ToolFindings()

  constructor(deps: TrustGateDeps) {
    this.#deps = deps
    this.#intake = new ListIntake(deps.work)
    const { sink, pins, rules, warn } = deps
    this.offers = createOfferGate({
      pins,
      warn,
      screening: () => rules().screening,
      siblingsOf: (server) =>
        normalNames(this.#servers.get(server)?.tools.map(({ definition }) => definition.name) ?? []),
    })
    this.sink = {
      setTools: (source, owner, tools) => {
        if (source === 'mcp') return this.#intake.take(owner, tools, (list) => this.#stand(owner, list))
        sink.setTools(source, owner, tools)
        if (source === 'plugin') this.#compareWith(owner, tools)
      },
      taken: async (source, owner) => {
        if (source === 'mcp') await this.#intake.taken(owner)
        await sink.taken(source, owner)
      },
      setState: (source, owner, state) => sink.setState(source, owner, state),
      removeOwner: (source, owner) => {
        if (source === 'mcp') this.#forget(owner)
        if (source === 'plugin') this.#compareWith(owner, [])
        sink.removeOwner(source, owner)
      },
    }
  }

  findings(): ReturnType<TrustGate['findings']> {
    const ofTools = [...this.#servers.values()].flatMap((server) =>
      server.tools.flatMap((tool) => {
        const findings = this.#findings.of(server, tool) ?? []
        return findings.length === 0 ? [] : [{ id: toolId('mcp', server.name, tool.definition.name), findings }]
      }),
    )
    return [...ofTools, ...this.offers.findings()]
  }

  findingsOf(id: string): readonly ScreeningFinding[] {
    for (const server of this.#servers.values()) {
      const tool = server.tools.find(({ definition }) => toolId('mcp', server.name, definition.name) === id)
      if (tool !== undefined) return this.#findings.of(server, tool) ?? []
    }
    return this.offers.findings().find((entry) => entry.id === id)?.findings ?? []
  }

  held(): readonly HeldTool[] {
    return [...[...this.#servers.values()].flatMap(({ held }) => [...held.values()]), ...this.offers.held()]
  }

  async accept(server: string, tools: readonly LookedAt[], by: string): Promise<Acceptance> {
    const waiting = this.held().filter((each) => each.server === server)
    const { fresh, acceptance } = compareLookedAt(tools, waiting)
    const pins = acceptedPins(fresh, { acceptedBy: by, pinnedMs: this.#deps.now() })
    // Kept first: a tool must not run by a decision that a restart forgets.
    await this.#deps.pins.replace(pins)
    this.#publish(server)
    // Who has accepted a tool calls it next.
    await this.#deps.sink.taken('mcp', server)
    return acceptance
  }

  update(): void {
    for (const [server, { tools, rules }] of this.#servers) {
      if (rules === this.#rulesOf(server)) continue
      this.#screen(server, tools)
      this.#publish(server)
    }
  }

  async settled(): Promise<void> {
    await this.#intake.settled()
    await Promise.all([this.offers.settled(), ...Array.from(this.#servers.values(), ({ work }) => work)])
    // What waited for its screening has gone to the catalog only then.
    await Promise.all(Array.from(this.#servers.keys(), (name) => this.#deps.sink.taken('mcp', name)))
  }

  close(): void {
    for (const { desk } of this.#servers.values()) desk.close()
    this.offers.close()
  }

  *#stand(name: string, { tools, names }: ReadList): Generator<void, void> {
    const known = this.#servers.get(name)
    this.#servers.set(name, {
      name,
      desk: known?.desk ?? new ScreeningDesk(this.#deps.work),
      tools,
      held: known?.held ?? new Map(),
      work: known?.work ?? Promise.resolve(),
      rules: '',
      entangled: '',
    })
    this.#findings.setNames('mcp', name, names)
    yield
    this.#screen(name, tools)
    yield
    this.#publish(name)
    this.#judgeOthers(name)
  }

  #compareWith(plugin: string, tools: readonly ToolDefinition[]): void {
    const names = tools.map(({ name }) => readName(name))
    this.#findings.setNames('plugin', plugin, names)
    this.#judgeOthers()
  }

  /** A name that a server brings or takes away may be the one that a tool of another poses by. */
  #judgeOthers(name?: string): void {
    for (const [other, server] of this.#servers)
      if (other !== name && this.#entangled(server) !== server.entangled) this.#publish(other)
  }

  #entangled(server: Server): string {
    return this.#deps.rules().screening === 'enforce' ? this.#findings.entangled(server, server.tools) : ''
  }

  #screen(name: string, tools: readonly HashedTool[]): void {
    const server = this.#servers.get(name)
    if (server === undefined || this.#deps.rules().screening === 'off') return
    server.work = this.#finish(name, tools, server.desk.screen(tools))
  }

  async #finish(name: string, tools: readonly HashedTool[], screening: Promise<void>): Promise<void> {
    await screening
    const isWaitedFor = this.#deps.rules().screening === 'enforce' && this.#servers.get(name)?.tools === tools
    if (isWaitedFor) this.#publish(name)
  }

  #rulesOf(name: string): string {
    const { screening, trustOf } = this.#deps.rules()
    return `${screening} ${trustOf(name)}`
  }

  #forget(name: string): void {
    this.#intake.forget(name)
    this.#servers.get(name)?.desk.close()
    this.#servers.delete(name)
    this.offers.forget(name)
    this.#findings.removeNames('mcp', name)
    this.#judgeOthers(name)
  }

  /** Gives the catalog the tools as they stand by pins, findings and rules of this moment. */
  #publish(name: string): void {
    const server = this.#servers.get(name)
    if (server === undefined) return
    const { pins, rules, now } = this.#deps
    const { screening, trustOf } = rules()
    const { told, held, fresh } = judgeList(server.tools, {
      standing: { server: name, trust: trustOf(name), screening },
      pins,
      nowMs: now(),
      found: (tool) => (screening === 'off' ? [] : this.#findings.of(server, tool)),
    })
    const news = [...held.values()].filter(({ tool, hash }) => server.held.get(tool)?.hash !== hash)
    server.held = held
    server.rules = this.#rulesOf(name)
    server.entangled = this.#entangled(server)
    if (fresh.length > 0) pins.add(fresh)
    for (const each of news.slice(0, WARNED_MAX)) this.#deps.warn(name, `tool "${each.tool}": ${heldReason(each)}`)
    this.#deps.sink.setTools('mcp', name, told)
  }
}
