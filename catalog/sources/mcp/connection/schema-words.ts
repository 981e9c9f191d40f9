import { isJsonObject } from '../../../json.ts'
import { readJson } from '../../../read-json.ts'

/**
 * What is wrong with an answer, in one line: the schemas of the SDK tell it as a list in JSON at the end of their message,
 * which nobody reads in a status.
 */
export function schemaWords(message: string): string {
  const at = message.indexOf('[')
  const issues: unknown = at === -1 ? undefined : readJson(message.slice(at))
  const [issue]: readonly unknown[] = Array.isArray(issues) ? issues : []
  if (!isJsonObject(issue) || typeof issue['message'] !== 'string') return message
  const before = message.slice(0, at).trim()
  // Of one that could be several things the first is as good as any.
  if (before === '') return 'the answer is no message of the protocol'
  const place = Array.isArray(issue['path']) && issue['path'].length > 0 ? `${issue['path'].join('.')}: ` : ''
  return `${before} ${place}${issue['message']}`
}
