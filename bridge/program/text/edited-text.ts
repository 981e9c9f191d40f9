/** A part of a text and what stands there instead. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** A text that came out of another by edits, and the way back. */
export interface EditedText {
  readonly text: string
  /** The text before all edits. */
  readonly source: string
  /** The place in the source that a place in the text came from. */
  readonly toSource: (offset: number) => number
}

export function unedited(source: string): EditedText {
  return { text: source, source, toSource: (offset) => Math.min(Math.max(0, offset), source.length) }
}

/** Makes the edits, in whatever order they come; one that overlaps an earlier one is left out. */
export function applyEdits(before: EditedText, edits: readonly Edit[]): EditedText {
  if (edits.length === 0) return before
  const kept: string[] = []
  const made: (Edit & { readonly at: number })[] = []
  let from = 0
  let length = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < from) continue
    kept.push(before.text.slice(from, edit.start), edit.text)
    made.push({ ...edit, at: length + edit.start - from })
    length += edit.start - from + edit.text.length
    from = edit.end
  }
  kept.push(before.text.slice(from))
  return {
    text: kept.join(''),
    source: before.source,
    toSource: (offset) => before.toSource(placeBefore(made, offset)),
  }
}

function placeBefore(made: readonly (Edit & { readonly at: number })[], offset: number): number {
  const last = made.findLast(({ at }) => at <= offset)
  if (last === undefined) return offset
  const into = offset - last.at
  // Inside an edit: as far into what stood there, where it was as long.
  if (into < last.text.length) return Math.min(last.start + into, last.end)
  return last.end + into - last.text.length
}
