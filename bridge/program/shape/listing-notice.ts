import type { Notice } from '../../outcome.ts'

/** `Object.keys(tools)`, `for (const name in tools)`, `JSON.stringify(tools)`. */
const LISTING =
  /\b(?:Object\.(?:keys|values|entries|getOwnPropertyNames)|Reflect\.ownKeys|JSON\.stringify)\(\s{0,9}tools\s{0,9}[,)]|\bfor\s{0,9}\(\s{0,9}(?:const|let|var)\s{1,9}[\w$]{1,60}\s{1,9}in\s{1,9}tools\s{0,9}\)/

/** A model that lists the bridge takes its six functions for all the tools that there are. */
export function listingNotice(code: string): Notice | undefined {
  if (!LISTING.test(code)) return undefined
  const message =
    'tools lists only its own functions: the tools that can be called are found by await tools.search("what you need")'
  return { code: 'tools-listed', message }
}
