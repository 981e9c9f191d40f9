import { readFileSync } from 'node:fs'

/** In the order in which their top-level code must run. */
const FILES = [
  'primordials',
  'reading',
  'json-refusal',
  'json-builtins',
  'json-form',
  'stack-traces',
  'determinism',
  'operations',
  'console',
  'timers',
  'tools',
  'web-text',
  'web-clone',
  'web-url',
  'web',
  'main',
] as const

/** Name of the prelude in V8's frames, by which `stack-traces.js` leaves them out. */
export const PRELUDE_NAME = 'drawbridge'

/**
 * The prelude as one script whose value is `install`. Its files are modules for the linter, the tests and the reader;
 * an isolate gets each as a function, since making modules costs more than running them.
 */
export function loadPrelude(): string {
  const parts = FILES.map((name) =>
    asFunction(name, readFileSync(new URL(`prelude/${name}.js`, import.meta.url), 'utf8')),
  )
  return `(() => { 'use strict'\n${parts.join('\n')}\nreturn ${variableOf('main')}.install\n})()`
}

function asFunction(name: string, source: string): string {
  const body = source
    .replace(
      /^import (\{[^}]*\}) from '\.\/([a-z-]+)\.js'$/gm,
      (_line, names, file) => `const ${names} = ${variableOf(file)}`,
    )
    .replace(/^export (?=const|function)/gm, '')
    .replace(/^\s*\/\/.*\n/gm, '')
  return `const ${variableOf(name)} = (() => {\n${body}\nreturn { ${exportsOf(source).join(', ')} } })()`
}

function exportsOf(source: string): readonly string[] {
  const single = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map((match) => match[1] ?? '')
  const grouped = [...source.matchAll(/^export const \{([^}]*)\}/gm)].map((match) => match[1] ?? '')
  return [...single, ...grouped.flatMap((names) => names.split(',').map((name) => name.trim()))]
}

function variableOf(file: string): string {
  return `$${file.replaceAll('-', '_')}`
}
