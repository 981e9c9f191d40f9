import type { Notice } from '../../outcome.ts'

/** `${result}` in a template writes this, whatever is in the result. */
const OBJECT_TEXT = '[object Object]'

/** Said of what a program gives or sends: whoever reads it takes it for the text that was meant. */
export function objectTextNotice(what: string, json: string): Notice | undefined {
  if (!json.includes(OBJECT_TEXT)) return undefined
  const message = `${what} has the text "${OBJECT_TEXT}": an object was written into it; write one of its fields, or JSON.stringify(object)`
  return { code: 'object-as-text', message }
}
