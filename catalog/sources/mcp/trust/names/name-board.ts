import { asciiLookAlike } from '../../../../schema/confusables.ts'
import { nameParts } from '../lexicon/subject.ts'
import { QUOTE_MAX_LENGTH } from '../limits.ts'
import type { ScreeningFinding } from '../screening-finding.ts'
import type { NamedTool } from './named-tools.ts'
import { TRUST_WORDS } from './posed-name.ts'

/** One tool as the names of all others are compared with it. */
export interface BoardTool {
  /** By `ownedBy`, as all owners of the board. */
  readonly owner: string
  readonly name: string
  readonly named: readonly NamedTool[]
}

/** How a finding calls whom tools belong to, which is what the board knows them by. */
export function ownedBy(source: 'mcp' | 'plugin', owner: string): string {
  return `${source === 'mcp' ? 'server' : 'plugin'} "${owner}"`
}

/** A name and what is read in it. */
export interface ReadName {
  readonly name: string
  readonly key: string
  readonly look: string
  /** The key of the name that is left without its words of trust. */
  readonly bare: string | undefined
}

export function readName(name: string): ReadName {
  return { name, key: keyOf(name), look: lookOf(name), bare: bareOf(name) }
}

/** With the owners of tools of it. */
interface Entry extends ReadName {
  readonly owners: Set<string>
}

/**
 * The names of all tools of connected servers and of plugins. Tells what a tool of one has to do with those of others:
 * imitates a name, or speaks of a tool. The same plain name on two of them is ordinary.
 */
export class NameBoard {
  readonly #byKey = new Map<string, Entry>()
  readonly #byLook = new Map<string, Set<Entry>>()
  readonly #byOwner = new Map<string, ReadonlyMap<string, Entry>>()

  /** The tools that an owner has now. */
  set(owner: string, names: readonly ReadName[]): void {
    this.remove(owner)
    const entries = names.map((read) => [read.name, this.#entry(read)] as const)
    for (const [, entry] of entries) entry.owners.add(owner)
    this.#byOwner.set(owner, new Map(entries))
  }

  remove(owner: string): void {
    for (const entry of this.#byOwner.get(owner)?.values() ?? []) {
      entry.owners.delete(owner)
      if (entry.owners.size > 0) continue
      this.#byKey.delete(entry.key)
      const alike = this.#byLook.get(entry.look)
      alike?.delete(entry)
      if (alike?.size === 0) this.#byLook.delete(entry.look)
    }
    this.#byOwner.delete(owner)
  }

  /** Of a tool that its owner has now; cheap, since a change of one owner's tools asks it of all others'. */
  findings({ owner, name, named }: BoardTool): readonly ScreeningFinding[] {
    const entry = this.#byOwner.get(owner)?.get(name)
    if (entry === undefined) return []
    const references = named.flatMap((each) => this.#reference(owner, entry, each))
    return [...this.#imitations(owner, name, entry), ...references]
  }

  #entry(read: ReadName): Entry {
    const known = this.#byKey.get(read.key)
    if (known !== undefined) return known
    const entry: Entry = { ...read, owners: new Set() }
    this.#byKey.set(read.key, entry)
    this.#byLook.set(entry.look, (this.#byLook.get(entry.look) ?? new Set()).add(entry))
    return entry
  }

  #imitations(owner: string, name: string, { key, look, bare }: Entry): readonly ScreeningFinding[] {
    const alike = [...(this.#byLook.get(look) ?? [])].find(
      (other) => other.key !== key && isOfOther(other, owner) && !(isOdd(other.name) && !isOdd(name)),
    )
    if (alike !== undefined) return [imitation(name, `looks like "${alike.name}" of ${ownersOf(alike, owner)}`)]
    const trusted = bare === undefined ? undefined : this.#byKey.get(bare)
    if (trusted === undefined || !isOfOther(trusted, owner) || trusted.owners.has(owner)) return []
    return [imitation(name, `is "${trusted.name}" of ${ownersOf(trusted, owner)} with a claim to be trusted more`)]
  }

  #reference(owner: string, own: Entry, { name: named, place, claim }: NamedTool): readonly ScreeningFinding[] {
    const entry = this.#byKey.get(keyOf(named))
    if (entry === undefined || !isOfOther(entry, owner)) return []
    const isTwin = entry === own
    // It may speak of what its own owner has; of its own name only where it wants to be taken for all that have it.
    if (isTwin ? claim === undefined : entry.owners.has(owner)) return []
    // "E-mail" in a sentence is no tool `email`, nor "check-in" one that is called `checkIn`.
    if (!isTwin && named.includes('-') && !entry.name.includes('-')) return []
    const others = ownersOf(entry, owner)
    const reason = isTwin
      ? `says "${claim}" of tools like itself, and ${others} has one of that name`
      : `speaks of "${entry.name}" of ${others}${claim === undefined ? '' : `, and says "${claim}"`}`
    return [{ kind: 'tool-shadowing', place, quote: named.slice(0, QUOTE_MAX_LENGTH), reason }]
  }
}

function isOfOther({ owners }: Entry, owner: string): boolean {
  return owners.size > (owners.has(owner) ? 1 : 0)
}

function ownersOf({ owners }: Entry, owner: string): string {
  const [first = '', ...rest] = [...owners].filter((each) => each !== owner).toSorted()
  return rest.length === 0 ? first : `${first} and ${rest.length} more`
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
