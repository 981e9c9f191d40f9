import { SEARCHES_LOOKED_AT } from '../limits.ts'

/** `const hit = await tools.search(…)`, and then `hit.id`. */
const FOUND = /\b(?:const|let|var)\s{1,9}([\w$]{1,60})\s{0,9}=\s{0,9}await\s{1,9}tools\.search\(/g

/** `const { id } = await tools.search(…)`. */
const TAKEN_APART =
  /\b(?:const|let|var)\s{1,9}\{\s{0,9}((?:id|name|description|signature|call|describe)\b[^{}=]{0,80})\}\s{0,9}=\s{0,9}await\s{1,9}tools\.search\(/

/** What to do where the program uses the list of hits as if it were one of them; undefined where it does not. */
export function hitsTakenAsOne(code: string): string | undefined {
  for (const [, found = ''] of [...code.matchAll(FOUND)].slice(0, SEARCHES_LOOKED_AT)) {
    const name = found.replaceAll('$', String.raw`\$`)
    const used = new RegExp(
      String.raw`(?<![\w$.])${name}(?:\?\.|\.)(?:id|name|description|signature|call|describe)\b|\bcall\(${name}\b(?!\s?[[.?])`,
    )
    if (used.test(code))
      return `"${found}" is the list of hits, also with limit 1: const [${found}] = await tools.search("…"), or ${found}[0]`
  }
  const apart = TAKEN_APART.exec(code)?.[1]?.trim()
  return apart && `a search gives the list of hits, also with limit 1: const [{ ${apart} }] = await tools.search("…")`
}
