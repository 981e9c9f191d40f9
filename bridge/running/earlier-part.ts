import type { EarlierPart, WaitingRun } from '../parking/waiting-run.ts'
import type { Artifact } from '../run.ts'
import type { ToolSurface } from '../surface/tool-surface.ts'
import { runCallOf } from './run-call.ts'

/** What has come of a run until now, for when it goes on: all before it was parked last, and what this stretch added. */
export function earlierPart(
  from: WaitingRun | undefined,
  { surface, artifacts }: { readonly surface: ToolSurface; readonly artifacts: readonly Artifact[] },
): EarlierPart {
  return {
    // What waits is made later, and counts then.
    calls: [...(from?.earlier.calls ?? []), ...surface.settled().filter(hasEnded).map(runCallOf)],
    notices: [...(from?.earlier.notices ?? []), ...surface.notices()],
    artifacts,
    asked: sumOfAsked(surface, from),
  }
}

/** Searches and descriptions, those of an earlier part among them. */
export function sumOfAsked(
  surface: ToolSurface,
  from: WaitingRun | undefined,
): { readonly searches: number; readonly describes: number } {
  const { searches, describes } = surface.counts()
  const before = from?.earlier.asked
  return { searches: searches + (before?.searches ?? 0), describes: describes + (before?.describes ?? 0) }
}

function hasEnded({ outcome }: { readonly outcome: { readonly kind: string } }): boolean {
  return outcome.kind !== 'waiting'
}
