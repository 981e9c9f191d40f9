import type { JsonObject, JsonValue } from '../../catalog/json.ts'
import { checkField } from './check-field.ts'
import type { FormField } from './form-field.ts'

export type FilledForm =
  | { readonly kind: 'filled'; readonly content: JsonObject }
  /** Names the field and says what it takes. */
  | { readonly kind: 'problem'; readonly message: string }

/** An answer as the form takes it: every value checked, nothing beside its fields, defaults where nothing was given. */
export function fillForm(fields: readonly FormField[], answer: JsonObject): FilledForm {
  const unknown = Object.keys(answer).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined)
    return problem(`there is no field ${JSON.stringify(unknown.slice(0, 100))}; ${named(fields)}`)
  const content: (readonly [string, JsonValue])[] = []
  for (const field of fields) {
    const value = Object.hasOwn(answer, field.name) ? answer[field.name] : field.default
    if (value === undefined) {
      if (field.isRequired) return problem(`field ${JSON.stringify(field.name)} is required and was not given`)
      continue
    }
    const fault = checkField(field, value)
    if (fault !== undefined) return problem(fault)
    content.push([field.name, value])
  }
  return { kind: 'filled', content: Object.fromEntries(content) }
}

/**
 * What somebody who says no more than yes has said: defaults, and the one field that a yes is about. A form that wants
 * more has a problem.
 */
export function affirmForm(fields: readonly FormField[]): FilledForm {
  const required = fields.filter((field) => field.isRequired)
  const [asked, ...others] = required.length > 0 ? required : fields
  const isTick = asked?.type === 'boolean' && others.length === 0
  return fillForm(fields, isTick ? { [asked.name]: true } : {})
}

function named(fields: readonly FormField[]): string {
  if (fields.length === 0) return 'the form has none'
  return `there are ${fields.map(({ name }) => JSON.stringify(name)).join(', ')}`
}

function problem(message: string): FilledForm {
  return { kind: 'problem', message }
}
