import { isJsonObject } from '../../catalog/json.ts'
import type { SurfaceAnswer, ToolSurface } from './tool-surface.ts'

/** What a search that found nothing says of it: a program sees but an empty list, and gives that to its model. */
export function noteSearch(answer: SurfaceAnswer, surface: Pick<ToolSurface, 'note'>): void {
  if (answer.kind !== 'value' || !isJsonObject(answer.value)) return
  const { hits, notes } = answer.value
  if (!Array.isArray(hits) || hits.length > 0 || !Array.isArray(notes)) return
  const texts = notes.filter((note) => typeof note === 'string')
  surface.note(texts.map((text) => ({ code: 'search-note', message: `search: ${text}` })))
}
