import type { Notice } from '../../outcome.ts'
import type { Edit } from '../text/edited-text.ts'

/** What one kind of slip needs, and what to say about it. */
export interface Mend {
  readonly edits: readonly Edit[]
  readonly notice: Notice
}
