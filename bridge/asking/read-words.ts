import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import type { FieldChoice, FormField } from './form-field.ts'

/**
 * An answer that people typed: `age=42` is a number where the field is one, `yes` a boolean, a list is parted by commas,
 * and a choice may be named by its title. What is no text stays as it is, and so does what cannot be read.
 */
export function readWords(fields: readonly FormField[], answer: JsonObject): JsonObject {
  const read = Object.entries(answer).map(([name, value]) => {
    const field = fields.find((each) => each.name === name)
    return [name, field === undefined ? value : readWord(field, value)] as const
  })
  return Object.fromEntries(read)
}

function readWord({ type, choices = [] }: FormField, value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value
  const word = value.trim()
  switch (type) {
    case 'text':
      return value
    case 'integer':
    case 'number':
      return NUMBER.test(word) ? Number(word) : value
    case 'boolean':
      return WORDS.get(word.toLowerCase()) ?? value
    case 'choice':
      return chosen(choices, word)
    case 'choices':
      return word === '' ? [] : word.split(',').map((part) => chosen(choices, part.trim()))
  }
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
])

function chosen(choices: readonly FieldChoice[], word: string): string {
  if (choices.some(({ value }) => value === word)) return word
  const titled = choices.filter(({ value, title }) => [value, title].some((name) => isSame(name, word)))
  return titled.length === 1 ? (titled[0]?.value ?? word) : word
}

function isSame(name: string | undefined, word: string): boolean {
  return name?.toLowerCase() === word.toLowerCase()
}
