import { asciiLookAlike } from '../../../../schema/confusables.ts'
import { nameParts } from '../lexicon/subject.ts'
import { QUOTE_MAX_LENGTH } from '../limits.ts'
import type { ScreeningFinding } from '../screening-finding.ts'
import type { NamedTool } from './named-tools.ts'
import { TRUST_WORDS } from './posed-name.ts'

/** One tool as the names of all others are compared with it. */
export interface BoardTool {
  readonly server: string
  readonly name: string
  readonly named: readonly NamedTool[]
}

/** A name with the servers that have a tool of it, and what is read in it, once. */
interface Entry {
  readonly name: string
  readonly key: string
  readonly look: string
  /** The key of the name that is left without its words of trust. */
  readonly bare: string | undefined
  readonly servers: Set<string>
}

/**
 * The names of all connected servers' tools. Tells what a tool of one has to do with those of others: imitates a name,
 * or speaks of a tool. The same plain name on two servers is ordinary.
 */
export class NameBoard {
  readonly #byKey = new Map<string, Entry>()
  readonly #byLook = new Map<string, Set<Entry>>()
  readonly #byServer = new Map<string, ReadonlyMap<string, Entry>>()

  /** The tools that a server has now. */
  set(server: string, names: readonly string[]): void {
    this.remove(server)
    const entries = names.map((name) => [name, this.#entry(name)] as const)
    for (const [, entry] of entries) entry.servers.add(server)
    this.#byServer.set(server, new Map(entries))
  }

  remove(server: string): void {
    for (const entry of this.#byServer.get(server)?.values() ?? []) {
      entry.servers.delete(server)
      if (entry.servers.size > 0) continue
      this.#byKey.delete(entry.key)
      const alike = this.#byLook.get(entry.look)
      alike?.delete(entry)
      if (alike?.size === 0) this.#byLook.delete(entry.look)
    }
    this.#byServer.delete(server)
  }

  /** Of a tool that its server has now; cheap, since a change of one server's tools asks it of all others'. */
  findings({ server, name, named }: BoardTool): readonly ScreeningFinding[] {
    const entry = this.#byServer.get(server)?.get(name)
    if (entry === undefined) return []
    const references = named.flatMap((each) => this.#reference(server, entry, each))
    return [...this.#imitations(server, name, entry), ...references]
  }

  #entry(name: string): Entry {
    const key = keyOf(name)
    const known = this.#byKey.get(key)
    if (known !== undefined) return known
    const entry = { name, key, look: lookOf(name), bare: bareOf(name), servers: new Set<string>() }
    this.#byKey.set(key, entry)
    this.#byLook.set(entry.look, (this.#byLook.get(entry.look) ?? new Set()).add(entry))
    return entry
  }

  #imitations(server: string, name: string, { key, look, bare }: Entry): readonly ScreeningFinding[] {
    const alike = [...(this.#byLook.get(look) ?? [])].find(
      (other) => other.key !== key && isOfOther(other, server) && !(isOdd(other.name) && !isOdd(name)),
    )
    if (alike !== undefined) return [imitation(name, `looks like "${alike.name}" of ${ownersOf(alike, server)}`)]
    const trusted = bare === undefined ? undefined : this.#byKey.get(bare)
    if (trusted === undefined || !isOfOther(trusted, server) || trusted.servers.has(server)) return []
    return [imitation(name, `is "${trusted.name}" of ${ownersOf(trusted, server)} with a claim to be trusted more`)]
  }

  #reference(server: string, own: Entry, { name: named, place, claim }: NamedTool): readonly ScreeningFinding[] {
    const entry = this.#byKey.get(keyOf(named))
    if (entry === undefined || !isOfOther(entry, server)) return []
    const isTwin = entry === own
    // It may speak of what its own server has; of its own name only where it wants to be taken for all that have it.
    if (isTwin ? claim === undefined : entry.servers.has(server)) return []
    // "E-mail" in a sentence is no tool `email`, nor "check-in" one that is called `checkIn`.
    if (!isTwin && named.includes('-') && !entry.name.includes('-')) return []
    const owners = ownersOf(entry, server)
    const reason = isTwin
      ? `says "${claim}" of tools like itself, and ${owners} has one of that name`
      : `speaks of "${entry.name}" of ${owners}${claim === undefined ? '' : `, and says "${claim}"`}`
    return [{ kind: 'tool-shadowing', place, quote: named.slice(0, QUOTE_MAX_LENGTH), reason }]
  }
}

function isOfOther({ servers }: Entry, server: string): boolean {
  return servers.size > (servers.has(server) ? 1 : 0)
}

function ownersOf({ servers }: Entry, server: string): string {
  const [first = '', ...rest] = [...servers].filter((each) => each !== server).toSorted()
  return rest.length === 0 ? `server "${first}"` : `server "${first}" and ${rest.length} more`
}

function imitation(name: string, what: string): ScreeningFinding {
  return { kind: 'tool-shadowing', place: 'name', quote: name.slice(0, QUOTE_MAX_LENGTH), reason: `its name ${what}` }
}

/** Names that differ only in how words are joined are the same: that is a habit of their author. */
function keyOf(name: string): string {
  return nameParts(name).join('')
}

/** Spelled as nobody spells: of two names that look alike, this is the copy. Where neither is, either may be. */
function isOdd(name: string): boolean {
  return !/^\p{ASCII}*$/u.test(name) || /[a-z][01][a-z]/i.test(name)
}

function bareOf(name: string): string | undefined {
  const parts = nameParts(name)
  const isTrusted = TRUST_WORDS.has(parts.at(-1) ?? '') || TRUST_WORDS.has(parts[0] ?? '')
  return isTrusted ? parts.filter((part) => !TRUST_WORDS.has(part)).join('') : undefined
}

/** What a hasty reader sees of a name. */
function lookOf(name: string): string {
  const letters = Array.from(name.normalize('NFKC'), (letter) => asciiLookAlike(letter) ?? letter).join('')
  return nameParts(letters).map(wordLook).join('')
}

function wordLook(word: string): string {
  return word.replace(/[1i]/g, 'l').replace(/0/g, 'o').replace(/rn/g, 'm').replace(/vv/g, 'w').replace(/(.)\1/g, '$1')
}
