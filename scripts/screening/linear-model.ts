export interface Example {
  readonly isMalicious: boolean
  /** Of each segment. A malicious tool has one bad segment at least; which is for the model to find. */
  readonly segments: readonly (readonly string[])[]
  /** How much a benign one counts; malicious ones share a fixed part of the whole. */
  readonly weight: number
}

export interface LinearModel {
  readonly bias: number
  readonly weights: ReadonlyMap<string, number>
}

interface Row {
  readonly isMalicious: boolean
  readonly encoded: readonly (readonly number[])[]
  readonly weight: number
}

const ROUNDS = 25
/** Runs over the examples in other orders, whose weights are averaged: what one order alone has made of them falls away. */
const RUNS = 4
const STEP = 0.3
const SHRINKING = 0.03
/** Malicious ones together weigh this much of the benign ones together. */
const MALICIOUS_SHARE = 0.3
/** A feature that fewer tools show is an accident of them. */
const TOOLS_MIN = 4
/** In the first rounds a tool's first segment, mostly its honest purpose, is not the one that is looked for. */
const HONEST_ROUNDS = 3

/** Logistic regression by steps that grow smaller for each feature; the same examples always give the same weights. */
export function trainLinearModel(examples: readonly Example[]): LinearModel {
  const index = new Map(frequentFeatures(examples).map((name, at) => [name, at] as const))
  const encode = (names: readonly string[]): readonly number[] => names.flatMap((name) => index.get(name) ?? [])
  const rows = examples.flatMap(({ isMalicious, segments, weight }): readonly Row[] => {
    const encoded = segments.map(encode)
    return isMalicious
      ? [{ isMalicious, encoded, weight: 0 }]
      : encoded.map((one) => ({ isMalicious, encoded: [one], weight }))
  })
  const maliciousCount = rows.filter((row) => row.isMalicious).length
  const benignWeight = rows.reduce((sum, row) => sum + row.weight, 0)
  const maliciousWeight = (benignWeight / maliciousCount) * MALICIOUS_SHARE
  const runs = Array.from({ length: RUNS }, (_, run) => descended(rows, { maliciousWeight, size: index.size, run }))
  const mean = (of: (descent: Descent) => number): number => runs.reduce((sum, one) => sum + of(one), 0) / RUNS
  const weights = new Map([...index].map(([name, at]) => [name, mean((one) => one.weights[at] ?? 0)] as const))
  return { bias: mean(({ bias }) => bias), weights }
}

interface Run {
  readonly maliciousWeight: number
  /** How many features there are. */
  readonly size: number
  /** Which one it is: it decides the order of the examples. */
  readonly run: number
}

function descended(rows: readonly Row[], { maliciousWeight, size, run }: Run): Descent {
  const descent = new Descent(size)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { isMalicious, encoded, weight } of shuffled(rows, run * 100 + round)) {
      const features = isMalicious ? descent.worst(encoded, round < HONEST_ROUNDS) : (encoded[0] ?? [])
      descent.step(features, { target: isMalicious ? 1 : 0, weight: isMalicious ? maliciousWeight : weight })
    }
  }
  return descent
}

export function scoreOf({ bias, weights }: LinearModel, segments: readonly (readonly string[])[]): number {
  const scores = segments.map((names) => names.reduce((sum, name) => sum + (weights.get(name) ?? 0), bias))
  return Math.max(-100, ...scores)
}

function frequentFeatures(examples: readonly Example[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { segments, isMalicious, weight } of examples) {
    if (!isMalicious && weight <= 1) continue
    for (const name of new Set(segments.flat())) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count >= TOOLS_MIN).map(([name]) => name)
}

class Descent {
  readonly weights: Float64Array
  bias = -2
  readonly #squares: Float64Array
  #biasSquares = 1e-6

  constructor(size: number) {
    this.weights = new Float64Array(size)
    this.#squares = new Float64Array(size).fill(1e-6)
  }

  score(features: readonly number[]): number {
    return features.reduce((sum, at) => sum + (this.weights[at] ?? 0), this.bias)
  }

  worst(segments: readonly (readonly number[])[], isFirstHonest: boolean): readonly number[] {
    const candidates = isFirstHonest && segments.length > 1 ? segments.slice(1) : segments
    return candidates.toSorted((a, b) => this.score(b) - this.score(a))[0] ?? []
  }

  step(features: readonly number[], { target, weight }: { readonly target: 0 | 1; readonly weight: number }): void {
    const slope = weight * (1 / (1 + Math.exp(-this.score(features))) - target)
    for (const at of features) {
      const own = slope + SHRINKING * weight * (this.weights[at] ?? 0)
      this.#squares[at] = (this.#squares[at] ?? 0) + own * own
      this.weights[at] = (this.weights[at] ?? 0) - (STEP * own) / Math.sqrt(this.#squares[at] ?? 1)
    }
    this.#biasSquares += slope * slope
    this.bias -= (STEP * slope) / Math.sqrt(this.#biasSquares)
  }
}

function shuffled(rows: readonly Row[], seed: number): readonly Row[] {
  let state = seed + 1
  const keyed = rows.map((row) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1
    return { row, key: state }
  })
  return keyed.toSorted((a, b) => a.key - b.key).map(({ row }) => row)
}
