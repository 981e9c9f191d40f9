import type { ValidationFault } from './validation-fault.ts'

/**
 * A union that nothing fits makes the faults of all its branches, which read as if all of them had to be mended. Where
 * one branch was clearly meant (all others fail by type or by a fixed value) its faults stay; else only the union's.
 */
export function foldUnions(faults: readonly ValidationFault[]): readonly ValidationFault[] {
  // The outermost union first: what it drops, unions inside need not look at.
  const unions = faults.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf').toSorted(byDepth)
  let kept = faults
  for (const union of unions) {
    if (kept.includes(union)) kept = fold(kept, union)
  }
  return kept
}

function byDepth(a: ValidationFault, b: ValidationFault): number {
  return a.instancePath.length - b.instancePath.length || a.schemaPath.length - b.schemaPath.length
}

function fold(faults: readonly ValidationFault[], union: ValidationFault): readonly ValidationFault[] {
  const inside = faults.filter((fault) => fault !== union && isInside(fault, union))
  const branches = Map.groupBy(inside, (fault) => branchOf(fault, union))
  const meant = [...branches].filter(([, own]) => !own.some((fault) => isOtherKind(fault, union)))
  const [only] = meant
  if (only !== undefined && meant.length === 1 && branches.size > 1) {
    return faults.filter((fault) => fault !== union && (!inside.includes(fault) || only[1].includes(fault)))
  }
  return faults.filter((fault) => !inside.includes(fault))
}

/** Faults behind a reference lose the way to it; below the union's place they are taken to be its own. */
function isInside(fault: ValidationFault, union: ValidationFault): boolean {
  const isBelow = fault.instancePath === union.instancePath || fault.instancePath.startsWith(`${union.instancePath}/`)
  if (!isBelow) return false
  if (fault.schemaPath.startsWith(`${union.schemaPath}/`)) return true
  return fault.schemaPath.startsWith('#/$defs/') || fault.schemaPath.startsWith('#/definitions/')
}

function branchOf(fault: ValidationFault, union: ValidationFault): string {
  const start = `${union.schemaPath}/`
  if (fault.schemaPath.startsWith(start)) return fault.schemaPath.slice(start.length).split('/')[0] ?? ''
  return fault.schemaPath.split('/').slice(0, 3).join('/')
}

/** The value is not of this branch's type, or does not bear its mark. */
function isOtherKind(fault: ValidationFault, union: ValidationFault): boolean {
  const isAtUnion = fault.instancePath === union.instancePath
  return (isAtUnion && fault.keyword === 'type') || fault.keyword === 'const' || (isAtUnion && fault.keyword === 'enum')
}
