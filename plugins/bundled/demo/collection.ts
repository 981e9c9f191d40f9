/** Records of one kind, in memory: they live as long as the plugin is loaded. */
export interface Collection<T extends { readonly id: string }> {
  all(): readonly T[]
  /** @throws {Error} that says how to find an id that exists */
  get(id: string): T
  add(make: (id: string) => T): T
  replace(record: T): T
  remove(id: string): T
}

interface CollectionOptions<T> {
  /** What one record is called in errors: `person`. */
  readonly noun: string
  /** The tool that finds ids. */
  readonly finder: string
  readonly idPrefix: string
  /** In order of their ids, which end in consecutive numbers. */
  readonly seed: readonly T[]
}

export function createCollection<T extends { readonly id: string }>(options: CollectionOptions<T>): Collection<T> {
  const records = new Map(options.seed.map((record) => [record.id, record]))
  let lastNumber = Math.max(...options.seed.map((record) => Number(record.id.slice(options.idPrefix.length))))
  const get = (id: string): T => {
    const record = records.get(id)
    if (record !== undefined) return record
    throw new Error(`there is no ${options.noun} "${id}"; ${options.finder} finds the ids that exist`)
  }
  const put = (record: T): T => {
    records.set(record.id, record)
    return record
  }
  return {
    all: () => [...records.values()],
    get,
    add: (make) => put(make(`${options.idPrefix}${++lastNumber}`)),
    replace: (record) => put({ ...get(record.id), ...record }),
    remove: (id) => {
      const record = get(id)
      records.delete(id)
      return record
    },
  }
}

/** True when each word of the query begins a word of one of the texts. */
export function matchesWords(query: string, texts: readonly string[]): boolean {
  const words = texts.flatMap(splitWords)
  return splitWords(query).every((wanted) => words.some((word) => word.startsWith(wanted)))
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
