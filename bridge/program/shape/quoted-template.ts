import type { Notice } from '../../outcome.ts'
import { declaredNames } from '../hints/absent-name.ts'
import { scanCode } from '../text/scan-code.ts'

const QUOTED = /["'][^"'\n]*\$\{/
const VALUE = /\$\{\s{0,9}([\w$]{1,60})[^{}]{0,200}\}/g

/**
 * `'Hello ${name}'` in ordinary quotes is sent as it stands. Only where the name is one of the program's own: a text for
 * a shell or a template of another system has others.
 */
export function quotedTemplateNotice(code: string): Notice | undefined {
  if (!QUOTED.test(code)) return undefined
  const names = declaredNames(code)
  for (const { kind, start, end } of scanCode(code)) {
    if (kind !== 'string') continue
    const text = code.slice(start, end)
    const written = [...text.matchAll(VALUE)].find(([, name = '']) => names.includes(name))?.[0]
    if (written === undefined) continue
    const message = `${written} stands in ordinary quotes and was taken as it is written; a value goes into a text in backquotes: \`…${written}…\``
    return { code: 'template-in-quotes', message }
  }
  return undefined
}
