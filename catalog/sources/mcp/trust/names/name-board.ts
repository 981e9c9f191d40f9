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

/** A name with the servers that have a tool of it. */
interface Entry {
  readonly name: string
  readonly servers: Set<string>
}

/**
 * The names of all connected servers' tools. Tells what a tool of one has to do with those of others: imitates a name,
 * or speaks of a tool. The same plain name on two servers is ordinary.
 */
export class NameBoard {
  readonly #byName = new Map<string, Entry>()
  readonly #byLook = new Map<string, Map<string, Entry>>()
  readonly #names = new Map<string, ReadonlySet<string>>()

  /** The tools that a server has now. */
  set(server: string, names: readonly string[]): void {
    this.remove(server)
    this.#names.set(server, new Set(names.map(keyOf)))
    for (const name of names) {
      const entry = this.#byName.get(keyOf(name)) ?? { name, servers: new Set() }
      entry.servers.add(server)
      this.#byName.set(keyOf(name), entry)
      const alike = this.#byLook.get(lookOf(name)) ?? new Map<string, Entry>()
      this.#byLook.set(lookOf(name), alike.set(keyOf(name), entry))
    }
  }

  remove(server: string): void {
    for (const key of this.#names.get(server) ?? []) {
      const entry = this.#byName.get(key)
      entry?.servers.delete(server)
      if (entry === undefined || entry.servers.size > 0) continue
      this.#byName.delete(key)
      const alike = this.#byLook.get(lookOf(entry.name))
      alike?.delete(key)
      if (alike?.size === 0) this.#byLook.delete(lookOf(entry.name))
    }
    this.#names.delete(server)
  }

  findings(tool: BoardTool): readonly ScreeningFinding[] {
    return [...this.#imitations(tool), ...tool.named.flatMap((named) => this.#reference(tool, named))]
  }

  #imitations({ server, name }: BoardTool): readonly ScreeningFinding[] {
    const key = keyOf(name)
    const alike = [...(this.#byLook.get(lookOf(name)) ?? [])].find(
      ([other, entry]) => other !== key && isOfOther(entry, server) && !(isOdd(entry.name) && !isOdd(name)),
    )
    if (alike !== undefined) return [imitation(name, `looks like "${alike[1].name}" of ${ownersOf(alike[1], server)}`)]
    const parts = nameParts(name)
    if (!TRUST_WORDS.has(parts.at(-1) ?? '') && !TRUST_WORDS.has(parts[0] ?? '')) return []
    const bare = this.#byName.get(parts.filter((part) => !TRUST_WORDS.has(part)).join(''))
    if (bare === undefined || !isOfOther(bare, server) || this.#has(server, keyOf(bare.name))) return []
    return [imitation(name, `is "${bare.name}" of ${ownersOf(bare, server)} with a claim to be trusted more`)]
  }

  #reference({ server, name }: BoardTool, { name: named, place, claim }: NamedTool): readonly ScreeningFinding[] {
    const key = keyOf(named)
    const entry = this.#byName.get(key)
    if (entry === undefined || !isOfOther(entry, server)) return []
    const isTwin = key === keyOf(name)
    // It may speak of what its own server has; of its own name only where it wants to be taken for all that have it.
    if (isTwin ? claim === undefined : this.#has(server, key)) return []
    // "E-mail" in a sentence is no tool `email`, nor "check-in" one that is called `checkIn`.
    if (!isTwin && named.includes('-') && !entry.name.includes('-')) return []
    const owners = ownersOf(entry, server)
    const reason = isTwin
      ? `says "${claim}" of tools like itself, and ${owners} has one of that name`
      : `speaks of "${entry.name}" of ${owners}${claim === undefined ? '' : `, and says "${claim}"`}`
    return [{ kind: 'tool-shadowing', place, quote: named.slice(0, QUOTE_MAX_LENGTH), reason }]
  }

  #has(server: string, key: string): boolean {
    return this.#names.get(server)?.has(key) === true
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

/** What a hasty reader sees of a name. */
function lookOf(name: string): string {
  const letters = Array.from(name.normalize('NFKC'), (letter) => asciiLookAlike(letter) ?? letter).join('')
  return nameParts(letters).map(wordLook).join('')
}

function wordLook(word: string): string {
  return word.replace(/[1i]/g, 'l').replace(/0/g, 'o').replace(/rn/g, 'm').replace(/vv/g, 'w').replace(/(.)\1/g, '$1')
}
