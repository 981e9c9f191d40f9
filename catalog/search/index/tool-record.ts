/**
 * The terms of one tool by their numbers, packed: how many the name has, how many the beginning of the description, then
 * these two runs in their order, then every distinct term of the tool.
 */
export type ToolRecord = Uint32Array

export interface RecordTerms {
  readonly name: readonly number[]
  readonly sequence: readonly number[]
  readonly distinct: Iterable<number>
}

/** Where the terms of the name begin. */
export const NAME_START = 2

export const EMPTY_RECORD: ToolRecord = new Uint32Array(NAME_START)

export function packRecord({ name, sequence, distinct }: RecordTerms): ToolRecord {
  return Uint32Array.from([name.length, sequence.length, ...name, ...sequence, ...distinct])
}

/** Where the terms of the name end and those of the description begin. */
export function nameEnd(record: ToolRecord): number {
  return NAME_START + (record[0] ?? 0)
}

/** Where the terms of the description end and the distinct ones begin, which go on to the end of the record. */
export function sequenceEnd(record: ToolRecord): number {
  return nameEnd(record) + (record[1] ?? 0)
}
