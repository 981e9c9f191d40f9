import type { Notice } from '../../outcome.ts'

/** `if (tools.store.get('done'))`, `!tools.…(…)`: also with a promise nothing fails there, and the program goes wrong. */
const CONDITION = /(?:\b(?:if|while)\s{0,9}\(\s{0,9}!?|!)\s{0,9}(tools(?:\.[\w$]{1,80}){1,4})\(/

/** `list.filter(async (x) => …)`: the language asks whether the promise is true. */
const ASYNC_TEST = /\.(filter|find|findIndex|findLast|findLastIndex|some|every)\(\s{0,9}async\b/

export function conditionNotice(code: string): Notice | undefined {
  const called = CONDITION.exec(code)?.[1]
  if (called === undefined) return asyncTestNotice(code)
  const message = `${called}(…) is a promise, which is true whatever it gives: write await in front of it`
  return { code: 'promise-as-condition', message }
}

function asyncTestNotice(code: string): Notice | undefined {
  const method = ASYNC_TEST.exec(code)?.[1]
  if (method === undefined) return undefined
  const message = `.${method}(async …) takes the promise that its function gives for true, whatever it settles to: first const checked = await Promise.all(list.map(async …)), then list.${method}((_, index) => checked[index])`
  return { code: 'promise-as-condition', message }
}
