import { readFileSync } from 'node:fs'

/** After `primordials`, in the order in which their top-level code must run. */
const FILES = [
  'function-source',
  'reading',
  'json-refusal',
  'json-builtins',
  'json-bare',
  'json-scalars',
  'json-tags',
  'json-form',
  'describe-thrown',
  'stack-traces',
  'determinism',
  'promise-guard',
  'json-text',
  'inner-errors',
  'operations',
  'console',
  'timers',
  'call-outcome',
  'tools',
  'web-text',
  'web-clone',
  'web-params',
  'web-url',
  'web',
  'main',
] as const

/** Name of the prelude in V8's frames, by which `stack-traces.js` leaves them out. */
export const PRELUDE_NAME = 'drawbridge'

/**
 * A program that uses what most programs use, and the answers that it gets. A worker runs it once: code that has run is
 * in V8's code cache, and an isolate made from that need not compile it again.
 */
export const WARM_UP = {
  code: `console.log('text', { a: [1] })
const [hit] = await tools.search('query', { limit: 2 })
await hit.describe()
await Promise.all([hit.call({ a: 1, b: [null, true] }), tools.owner.name({ a: 'b' })])
try { await tools.call('id', {}) } catch (error) { console.error(error) }
await new Promise((resolve) => setTimeout(resolve, 1))
return { at: new Date().toISOString(), of: [Math.random()], none: undefined }`,
  answers: [
    [5, '{"hits":[{"id":"a"}],"notes":[]}'],
    [9, '{"id":"a"}'],
    [13, '{"a":1}'],
    [17, '1'],
    [20, '{"code":"failed","message":"no","effect":"none"}'],
    [26, ''],
  ],
} as const

/**
 * The prelude as one script whose value is `install`. Its files are modules for the linter, the tests and the reader; an
 * isolate gets each as a function, since making modules costs more than running them. What `primordials.js` has stands
 * around the others: an object with a hundred members costs more to make than all of them.
 */
export function loadPrelude(): string {
  const parts = FILES.map((name) => asFunction(name, readSource(name)))
  return `(() => { 'use strict'\n${plain(readSource('primordials'))}\n${parts.join('\n')}\nreturn ${variableOf('main')}.install\n})()`
}

function readSource(name: string): string {
  return readFileSync(new URL(`prelude/${name}.js`, import.meta.url), 'utf8')
}

function asFunction(name: string, source: string): string {
  const body = plain(
    source
      .replace(/^import \{[^}]*\} from '\.\/primordials\.js';?$/gm, '')
      .replace(
        /^import (\{[^}]*\}) from '\.\/([a-z-]+)\.js';?$/gm,
        (_line, names, file) => `const ${names} = ${variableOf(file)}`,
      ),
  )
  return `const ${variableOf(name)} = (() => {\n${body}\nreturn { ${exportsOf(source).join(', ')} } })()`
}

/** Without what is for readers and modules. */
function plain(source: string): string {
  return source
    .replace(/^export (?=const|function)/gm, '')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, '')
}

function exportsOf(source: string): readonly string[] {
  return [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map((match) => match[1] ?? '')
}

function variableOf(file: string): string {
  return `$${file.replaceAll('-', '_')}`
}
