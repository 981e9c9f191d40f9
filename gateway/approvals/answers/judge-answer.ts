import type { Approval } from '../../../bridge/approval.ts'
import type { FilledForm } from '../../../bridge/asking/fill-form.ts'
import { affirmForm, fillForm } from '../../../bridge/asking/fill-form.ts'
import type { FormField } from '../../../bridge/asking/form-field.ts'
import { readWords } from '../../../bridge/asking/read-words.ts'
import type { Decision } from '../decision.ts'

/** What a decision says to a question of a tool: the form as it was filled in, nothing, or why it cannot be taken. */
export function judgeAnswer({ id, question }: Pick<Approval, 'id' | 'question'>, decision: Decision): FilledForm {
  const { answer } = decision
  const isAllowed = decision.decision !== 'deny'
  if (question?.kind !== 'form' || !isAllowed) {
    const where = isAllowed ? `approval ${JSON.stringify(id)} asks for no values` : 'who denies gives no values'
    return answer === undefined ? NOTHING : { kind: 'problem', message: `${where}; leave "answer" out` }
  }
  const { fields } = question
  const filled =
    answer === undefined || Object.keys(answer).length === 0
      ? affirmForm(fields)
      : fillForm(fields, readWords(fields, answer))
  return filled.kind === 'filled' ? filled : { kind: 'problem', message: `${filled.message}; ${wayOut(id, fields)}` }
}

const NOTHING: FilledForm = { kind: 'filled', content: {} }

/** What a person does next who has only the id. */
function wayOut(id: string, fields: readonly FormField[]): string {
  const wanted = fields.filter((field) => field.isRequired && field.default === undefined)
  const named = (wanted.length > 0 ? wanted : fields).slice(0, EXAMPLES_MAX)
  const given = named.map((field) => `${field.name}=${exampleOf(field)}`).join(' ')
  return `give ${named.length === 1 ? 'it' : 'them'} as "answer", e.g. drawbridge approvals approve ${id} ${given}, or deny`
}

const EXAMPLES_MAX = 5

function exampleOf({ type, choices = [], title }: FormField): string {
  const [first] = choices
  switch (type) {
    case 'boolean':
      return 'true'
    case 'integer':
      return '1'
    case 'number':
      return '1.5'
    case 'choice':
    case 'choices':
      return quoted(first?.value ?? '…')
    case 'text':
      return quoted(`<${title ?? 'text'}>`)
  }
}

function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : JSON.stringify(text)
}
