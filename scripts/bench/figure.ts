/** One line of a bench with `--json`; further keys say what was measured (`engine`) and under what. */
export interface Figure {
  readonly area: string
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly [key: string]: string | number | boolean
}
