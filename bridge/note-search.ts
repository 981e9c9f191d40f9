import { isJsonObject } from '../catalog/json.ts'
import { SEARCH_NOTES_TOLD } from './limits.ts'
import type { SurfaceAnswer, ToolSurface } from './tool-surface.ts'

const CODE = 'search-note'

/** What a search that found nothing says of it: a program sees but an empty list, and gives that to its model. */
export function noteSearch(answer: SurfaceAnswer, surface: Pick<ToolSurface, 'note' | 'notices'>): void {
  if (answer.kind !== 'value' || !isJsonObject(answer.value)) return
  const { hits, notes } = answer.value
  if (!Array.isArray(hits) || hits.length > 0 || !Array.isArray(notes)) return
  const told = surface.notices().filter(({ code }) => code === CODE).length
  const texts = notes.filter((note) => typeof note === 'string').slice(0, Math.max(0, SEARCH_NOTES_TOLD - told))
  surface.note(texts.map((text) => ({ code: CODE, message: `search: ${text}` })))
}
