/** What a screening can find in a tool. */
export type ScreeningKind =
  /** Characters that a person does not see, or takes for others. */
  | 'hidden-characters'
  /** Text that can only be read decoded, and then is a command or an instruction. */
  | 'encoded-payload'
  /** Written as if the system, the operator or the host spoke. */
  | 'fake-system-message'
  /** Tells the model to set its instructions or its user's consent aside. */
  | 'instruction-override'
  /** Something is to be kept from the user. */
  | 'concealment'
  /** Secrets, files or the conversation are to go where they do not belong. */
  | 'data-exfiltration'
  /** Does something that has nothing to do with what it is for. */
  | 'capability-mismatch'
  /** Speaks of other tools to change, replace or drive them, or poses as one. */
  | 'tool-shadowing'
  /** Announces that it will be another tool once it is trusted. */
  | 'delayed-change'
  /** More text than is read, or deeper: what the rest says is not known. */
  | 'unread-text'

export interface ScreeningFinding {
  readonly kind: ScreeningKind
  /** `name`, `title`, `description`, or a path into a schema such as `inputSchema.properties.note.description`. */
  readonly place: string
  /** The words that were found, hidden characters written as `U+200B`; at most 120 characters. */
  readonly quote: string
  readonly reason: string
}
