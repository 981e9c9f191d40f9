/** A number for each owner that has tools, so that the tools of a view are counted by owner without a look at a name. */
export interface OwnerNumbers {
  /** The owner's number; counts one more tool of it. */
  take(owner: string): number
  /** Counts one tool less; an owner without tools is forgotten and its number given to another. */
  release(number: number): void
  numberOf(owner: string): number | undefined
  nameAt(number: number): string
  /** All numbers are below this one. */
  capacity(): number
}

export function createOwnerNumbers(): OwnerNumbers {
  const numbers = new Map<string, number>()
  const names: string[] = []
  const toolCounts: number[] = []
  const free: number[] = []
  return {
    take(owner) {
      const number = numbers.get(owner) ?? free.pop() ?? names.length
      numbers.set(owner, number)
      names[number] = owner
      toolCounts[number] = (toolCounts[number] ?? 0) + 1
      return number
    },
    release(number) {
      const left = (toolCounts[number] ?? 0) - 1
      toolCounts[number] = left
      if (left > 0) return
      numbers.delete(names[number] ?? '')
      free.push(number)
    },
    numberOf: (owner) => numbers.get(owner),
    nameAt: (number) => names[number] ?? '',
    capacity: () => names.length,
  }
}
