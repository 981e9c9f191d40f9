import type { PolicyPath } from '../../policy/layer.ts'
import { formatPath, valueAt } from '../config/document/config-path.ts'
import { parseDocument } from '../config/document/parse-document.ts'

/** Where something stands in the configuration. */
export interface ConfigPlace {
  /** `tools.deny[1]`. */
  readonly path: string
  /** Absent where the configuration has no file. */
  readonly file?: string
  /** From 1; absent where it does not stand in the file: a default, or a part of the request. */
  readonly line?: number
  readonly column?: number
}

/** The configuration in force as it was written. */
export interface ConfigText {
  readonly text: string
  readonly file: string | undefined
}

export type PlaceOf = (path: PolicyPath) => ConfigPlace

/** Looks places up in the text that is in force, which the file on the disk need not be any more. */
export function createConfigPlaces({ text, file }: ConfigText): PlaceOf {
  const parsed = parseDocument(text)
  const known = new Map<string, ConfigPlace>()
  const find = (path: PolicyPath, written: string): ConfigPlace => {
    if (parsed.kind === 'invalid' || valueAt(parsed.document.value, path) === undefined) return { path: written }
    return { path: written, ...(file !== undefined && { file }), ...parsed.document.positionOf(path) }
  }
  return (path) => {
    const written = formatPath(path)
    const place = known.get(written) ?? find(path, written)
    known.set(written, place)
    return place
  }
}

/** `tools.deny[1], drawbridge.json5:12:7`. */
export function placeText({ path, file, line, column }: ConfigPlace): string {
  const at = [file, line, column].filter((part) => part !== undefined).join(':')
  return at === '' ? path : `${path}, ${at}`
}
