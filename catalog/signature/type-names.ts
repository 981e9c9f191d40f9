import { TYPE_NAME_MAX_CHARS } from './limits.ts'

/** Names of referenced schemas, each valid in TypeScript, stable for one document, never two alike. */
export interface TypeNames {
  /** The name of this schema, given at its first reference from the last part of the reference. */
  nameOf(schema: object, reference: string): string
  /** A name for something that no reference leads to. */
  fresh(wanted: string): string
}

/** A definition with one of these names would hide what a signature means by them. */
const TAKEN = ['Promise', 'Array', 'Record', 'Object', 'String', 'Number', 'Boolean', 'Function', 'Symbol', 'Date']

export function createTypeNames(): TypeNames {
  const names = new Map<object, string>()
  const taken = new Set(TAKEN)
  const fresh = (wanted: string) => {
    const plain = identifier(wanted)
    let name = plain
    for (let count = 2; taken.has(name); count += 1) name = `${plain}${count}`
    taken.add(name)
    return name
  }
  return {
    fresh,
    nameOf(schema, reference) {
      const known = names.get(schema)
      if (known !== undefined) return known
      const name = fresh(/([^/#]+)[/#]*$/.exec(reference)?.[1] ?? '')
      names.set(schema, name)
      return name
    },
  }
}

function identifier(text: string): string {
  const words = text
    .slice(-TYPE_NAME_MAX_CHARS)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
  const joined = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
  return /^[A-Z]/.test(joined) ? joined : `Type${joined}`
}
