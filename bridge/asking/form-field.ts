/** One field of a form, as people are shown it: the flat fields that the protocol lets a server ask for. */
export interface FormField {
  readonly name: string
  readonly type: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices'
  readonly isRequired: boolean
  readonly title?: string
  readonly description?: string
  /** What is taken where nothing is given. */
  readonly default?: FieldValue
  /** Of `choice` and `choices`: what may be given. */
  readonly choices?: readonly FieldChoice[]
  readonly format?: TextFormat
  /** Of a text in characters, of choices in number, else the values themselves. */
  readonly min?: number
  readonly max?: number
}

export interface FieldChoice {
  readonly value: string
  readonly title?: string
}

export type FieldValue = string | number | boolean | readonly string[]

export type TextFormat = 'email' | 'uri' | 'date' | 'date-time'
