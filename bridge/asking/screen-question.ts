import type { ToolQuestion } from '../../catalog/question.ts'
import type { FormField } from './form-field.ts'
import { LINE_MAX_LENGTH, MESSAGE_MAX_LENGTH, URL_MAX_LENGTH } from './limits.ts'
import type { Redact } from './plain-text.ts'
import { isPlain, plainLine, plainText } from './plain-text.ts'
import { readForm } from './read-form.ts'
import { readSample } from './read-sample.ts'
import type { Sample } from './sample.ts'

/** A question that can be put before somebody: all of it is seen, bounded, and can be answered. */
export type ScreenedQuestion =
  | (ScreenedWords & { readonly kind: 'form'; readonly fields: readonly FormField[] })
  | (ScreenedWords & { readonly kind: 'url'; readonly url: string; readonly host: string })
  | { readonly kind: 'sample'; readonly sample: Sample }

interface ScreenedWords {
  readonly message: string
  /** What we have to say of it. */
  readonly remark?: string
}

export type Screening = ScreenedQuestion | { readonly kind: 'unaskable'; readonly reason: string }

/** What is left of a stranger's question; secrets that it knows of are taken out of its words. */
export function screenQuestion(question: ToolQuestion, redact: Redact): Screening {
  switch (question.kind) {
    case 'form': {
      const fields = readForm(question.schema, redact)
      if (fields === undefined) return { kind: 'unaskable', reason: 'nobody could read or fill in its form' }
      return { kind: 'form', ...wordsOf(question, redact), fields }
    }
    case 'url': {
      const host = hostOf(question.url)
      if (host === undefined) return { kind: 'unaskable', reason: 'its address cannot be shown as it is' }
      return { kind: 'url', ...wordsOf(question, redact), url: question.url, host }
    }
    case 'sample':
      return readSample(question.params)
  }
}

function wordsOf({ message, doubt }: Exclude<ToolQuestion, { kind: 'sample' }>, redact: Redact): ScreenedWords {
  const remark = doubt && `perhaps for a call of ${doubt.givenUp.join(' or ')} that was given up, and not for this one`
  return {
    message: plainText(message, MESSAGE_MAX_LENGTH, redact),
    ...(remark !== undefined && { remark: plainLine(remark, LINE_MAX_LENGTH, redact) }),
  }
}

/**
 * Of an address of the web that a person can judge: shown whole, without what is hidden, and without a name before the
 * host that looks like one.
 */
function hostOf(text: string): string | undefined {
  if (text.length > URL_MAX_LENGTH || !isPlain(text) || /\s/.test(text) || !URL.canParse(text)) return undefined
  const { protocol, host, username, password } = new URL(text)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  return isWeb && username === '' && password === '' ? host : undefined
}
