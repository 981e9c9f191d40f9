import type { Notice } from '../../outcome.ts'

/** `if (tools.store.get('done'))`, `!tools.…(…)`: also with a promise nothing fails there, and the program goes wrong. */
const CONDITION = /(?:\b(?:if|while)\s{0,9}\(\s{0,9}!?|!)\s{0,9}(tools(?:\.[\w$]{1,80}){1,4})\(/

export function conditionNotice(code: string): Notice | undefined {
  const called = CONDITION.exec(code)?.[1]
  if (called === undefined) return undefined
  const message = `${called}(…) is a promise, which is true whatever it gives: write await in front of it`
  return { code: 'promise-as-condition', message }
}
