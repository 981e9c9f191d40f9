import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

/** What the linear model has learned. */
export interface ModelWeights {
  readonly bias: number
  /** The score that a segment has to exceed. */
  readonly threshold: number
  /** How much each feature speaks for an instruction; one that is not there says nothing. */
  readonly byFeature: ReadonlyMap<string, number>
}

/** The weights that `scripts/train-screening.ts --write` made; unpacked when they are first asked for, and once. */
export const modelWeights: () => ModelWeights = once(() =>
  parseWeights(gunzipSync(readFileSync(new URL('weights.gz', import.meta.url))).toString('utf8')),
)

/** One `name=weight` a line, bias and threshold first; `zcat weights.gz` shows them. */
export function formatWeights({ bias, threshold, byFeature }: ModelWeights): string {
  const features = [...byFeature].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const entries = [['bias', bias] as const, ['threshold', threshold] as const, ...features]
  return entries.map(([name, weight]) => `${name}=${weight.toFixed(2)}\n`).join('')
}

export function parseWeights(text: string): ModelWeights {
  const byFeature = new Map<string, number>()
  // One pass without an array of lines: there are tens of thousands, and somebody waits for the first tool.
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end)
    const equals = line.lastIndexOf('=')
    byFeature.set(line.slice(0, equals), Number(line.slice(equals + 1)))
    from = end + 1
  }
  const { bias, threshold } = { bias: byFeature.get('bias') ?? 0, threshold: byFeature.get('threshold') ?? 0 }
  byFeature.delete('bias')
  byFeature.delete('threshold')
  return { bias, threshold, byFeature }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
