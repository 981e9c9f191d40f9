import type { Figure } from '../figure.ts'

/** A figure of this area, with what it was measured under. */
export type PrintRow = (
  row: Pick<Figure, 'name' | 'value' | 'unit'> & Readonly<Record<string, string | number | boolean>>,
) => void
