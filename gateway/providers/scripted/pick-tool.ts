import type { ModelTool } from '../../../bridge/presentation/presentation.ts'
import { SCRIPTED_QUERY_MAX_LENGTH } from '../limits.ts'

/** A word of the name says more than one of the description. */
const NAME_WEIGHT = 3

/** Verbs that half of all tools begin with decide between two tools for one thing, but say nothing of the thing. */
const GENERIC = new Set(['find', 'search', 'list', 'get', 'show', 'give', 'tell', 'make', 'read'])
const GENERIC_WEIGHT = 0.25

/**
 * The shown tool whose words a message shares most, rare words counting more; undefined where the overlap is no more
 * than chance: a word of the name, or two of the description.
 */
export function pickTool(tools: readonly ModelTool[], message: string): ModelTool | undefined {
  const entries = tools.map((tool) => ({ tool, name: wordsOf(tool.name), description: wordsOf(tool.description) }))
  const words = [...wordsOf(message)]
  const weights = new Map(words.map((word) => [word, rarity(word, entries)]))
  const isSpecific = (word: string) => !GENERIC.has(word)
  const scored = entries.map(({ tool, name, description }) => {
    const named = words.filter((word) => name.has(word))
    const described = words.filter((word) => !name.has(word) && description.has(word))
    const score = NAME_WEIGHT * total(named, weights) + total(described, weights)
    return { tool, score, isFit: named.some(isSpecific) || described.filter(isSpecific).length > 1 }
  })
  return scored.filter(({ isFit }) => isFit).reduce<(typeof scored)[number] | undefined>(better, undefined)?.tool
}

/** The message without what it only hands over: quoted text, pairs, numbers, addresses. */
export function searchQuery(message: string): string {
  const stripped = message
    .replaceAll(/"[^"]*"|“[^”]*”|`[^`]*`|\{[^{}]*\}/g, ' ')
    .replaceAll(/https?:\/\/\S+|[\w.+-]+@[\w.-]+/g, ' ')
    .replaceAll(/\b[\w-]+\s*=\s*\S+|\b[A-Za-z][\w-]*:\s+[^,;\n]*/g, ' ')
    .replaceAll(/\b[A-Za-z]*[-_]?\d[\w:.-]*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const query = stripped === '' ? message.trim() : stripped
  return query.slice(0, SCRIPTED_QUERY_MAX_LENGTH)
}

interface Entry {
  readonly name: ReadonlySet<string>
  readonly description: ReadonlySet<string>
}

const STOP_WORDS = new Set(
  'a an and are as at be by can do for from have i in is it me my of on or please that the this to use with you your'.split(
    ' ',
  ),
)

function wordsOf(text: string): ReadonlySet<string> {
  const words = text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return new Set(words.filter((word) => word.length > 1 && !STOP_WORDS.has(word)).map(singular))
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function rarity(word: string, entries: readonly Entry[]): number {
  const holders = entries.filter(({ name, description }) => name.has(word) || description.has(word)).length
  return (GENERIC.has(word) ? GENERIC_WEIGHT : 1) * Math.log(1 + entries.length / (holders + 1))
}

function total(words: readonly string[], weights: ReadonlyMap<string, number>): number {
  return words.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0)
}

function better<T extends { readonly score: number }>(best: T | undefined, next: T): T {
  return best === undefined || next.score > best.score ? next : best
}
