import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import { isJsonObject } from '../../../../catalog/json.ts'
import { APPROVAL_INPUT_CHARS, CHOICES_SHOWN } from '../../limits.ts'
import { harmless, oneLine } from '../../output.ts'
import { objectsOf, textOf } from '../failed-answer.ts'

/** What a tool asks, as lines for a person; none where the call itself is what is asked about. */
export function questionLines({ question, id }: JsonObject): readonly string[] {
  if (!isJsonObject(question)) return []
  const asker = harmless(textOf(question, 'asker') ?? 'a tool')
  switch (textOf(question, 'kind') ?? '') {
    case 'form': {
      const fields = objectsOf(question['fields'])
      const values = fields.filter(isWanted).map((field) => `${textOf(field, 'name')}=…`)
      const command = ['drawbridge approvals approve', typeof id === 'string' ? id : '<id>', ...values].join(' ')
      return [
        `${asker} asks for:`,
        ...fields.map((field) => `  ${fieldLine(field)}`),
        `answer by: ${harmless(command)}`,
      ]
    }
    case 'url':
      // Whole: what is not seen is not agreed to.
      return [
        `${asker} wants a page of ${harmless(textOf(question, 'host') ?? '?')} to be opened:`,
        `  ${harmless(textOf(question, 'url') ?? '')}`,
      ]
    case 'sample':
      return [
        `${asker} asks the model ${harmless(textOf(question, 'model') ?? '?')} for an answer of at most ${JSON.stringify(question['maxTokens'] ?? 0)} tokens`,
      ]
    default:
      return []
  }
}

function isWanted(field: JsonObject): boolean {
  return field['isRequired'] === true && field['default'] === undefined
}

/** `age: whole number from 0 to 150, required (Your age)` */
function fieldLine(field: JsonObject): string {
  const { isRequired, default: preset } = field
  const facts = [
    `${kindOf(field)}${boundsOf(field)}`,
    ...(isRequired === true ? ['required'] : []),
    ...(preset === undefined ? [] : [`default ${JSON.stringify(preset)}`]),
  ]
  const words = [textOf(field, 'title'), textOf(field, 'description')].filter((text) => text !== undefined)
  const said = words.length > 0 ? ` (${words.join('; ')})` : ''
  const line = `${textOf(field, 'name') ?? '?'}: ${facts.join(', ')}${said}`
  return oneLine(line, APPROVAL_INPUT_CHARS * 2)
}

const KINDS: Readonly<Record<string, string>> = {
  text: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'yes or no',
  choice: 'one of',
  choices: 'any of',
}

function kindOf({ type, format, choices }: JsonObject): string {
  const kind = (typeof type === 'string' ? KINDS[type] : undefined) ?? 'value'
  const given = objectsOf(choices)
  const shown = given.slice(0, CHOICES_SHOWN).map(choiceText)
  const more = given.length > CHOICES_SHOWN ? [`${given.length - CHOICES_SHOWN} more`] : []
  const list = given.length > 0 ? ` ${[...shown, ...more].join(' | ')}` : ''
  return `${kind}${list}${typeof format === 'string' ? ` (${format})` : ''}`
}

function choiceText(choice: JsonObject): string {
  const title = textOf(choice, 'title')
  return `${textOf(choice, 'value')}${title === undefined ? '' : ` (${title})`}`
}

function boundsOf({ type, min, max }: JsonObject): string {
  const unit = type === 'text' ? ' characters' : ''
  const bound = (value: JsonValue | undefined, word: string): string =>
    typeof value === 'number' ? ` ${word} ${value}${unit}` : ''
  return `${bound(min, 'from')}${bound(max, 'to')}`
}
