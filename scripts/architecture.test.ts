import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

/** A folder imports only from itself and from those before it. */
const ORDER = ['catalog', 'policy', 'bridge', 'plugins', 'gateway']
/** Imported by nobody; free to import from everywhere. */
const TOP = ['scripts', 'e2e']

/** Where an outside package may be imported; tests and fixtures are free. */
const HOMES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^fastify$|^@fastify\//, ['gateway/']],
  [/^openai$|^openai\//, ['gateway/providers/']],
  [/^isolated-vm$/, ['bridge/isolate/worker']],
  [/^@modelcontextprotocol\/client/, ['catalog/sources/mcp/']],
  [/^@modelcontextprotocol\/(server|node)(\/|$)/, ['gateway/mcp-server/']],
  [/^flexsearch$/, ['catalog/search/']],
  [/^ajv$|^ajv\/|^ajv-formats/, ['catalog/schema.ts', 'catalog/schema/']],
  [/^@opentelemetry\//, ['bridge/', 'gateway/']],
  [/^pino$/, ['gateway/']],
  [/^acorn$/, ['bridge/program/']],
  [/^stemmer$/, ['catalog/search/']],
  [/^commander$/, ['gateway/cli/']],
  // Seven hundred files: what reads the configuration, and so each command, does without.
  [/^typebox(\/|$)/, ['plugins/sdk.ts']],
  [/^diff$/, ['gateway/mcp-trust/']],
  [/^undici$/, ['catalog/sources/mcp/transport/http/']],
  [/^standardwebhooks$|^p-retry$/, ['gateway/approvals/']],
]
const FILE_LINES_MAX = 400
/** Files that lie side by side, tests apart: about eight is the aim; with more than this nobody sees what a folder is about. */
const FOLDER_FILES_MAX = 30
const BANNED_NAMES = /(^|\/)(index|types|utils?|helpers?|common|shared|manager)\.(ts|js|mjs)$/

const files = globSync(
  [...ORDER, ...TOP].map((folder) => `${folder}/**/*.{ts,mjs,js}`),
  { cwd: root },
)
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => !file.includes('node_modules'))
const product = files.filter(
  (file) => !/\.test\.ts$|\/fixtures\/|\/testing\//.test(file) && !TOP.includes(file.split('/')[0] ?? ''),
)

function importsOf(file: string): readonly string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  const found = text.matchAll(
    /^\s*(?:import|export)\b[^'"\n]*?(?:\bfrom\s*)?['"]([^'"\n]+)['"]|^\} from ['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/gm,
  )
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

/** Top-level folder that a relative import leads to; undefined for packages. */
function folderOf(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  return path.posix.join(path.posix.dirname(file), specifier).split('/')[0]
}

/** Files that lead back to themselves: what is left when files that import none of the rest, or that none imports, are taken away. */
function inCircles(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  let left = [...imports.keys()]
  for (;;) {
    const among = new Set(left)
    const imported = new Set(left.flatMap((file) => imports.get(file) ?? []))
    const kept = left.filter((file) => imported.has(file) && imports.get(file)?.some((target) => among.has(target)))
    if (kept.length === left.length) return left
    left = kept
  }
}

describe('architecture', () => {
  test('the check sees the imports that it is about', () => {
    expect(product.length).toBeGreaterThan(30)
    expect(importsOf('gateway/views/view-cache.ts')).toContain('../../policy/decide.ts')
    expect(importsOf('bridge/trace.ts')).toContain('@opentelemetry/api')
  })

  test('a folder imports only from its left', () => {
    const wrong = product.flatMap((file) => {
      const own = ORDER.indexOf(file.split('/')[0] ?? '')
      return importsOf(file)
        .map((specifier) => folderOf(file, specifier))
        .filter((target) => target !== undefined && (ORDER.indexOf(target) > own || !ORDER.includes(target)))
        .map((target) => `${file} imports ${target}`)
    })
    expect(wrong).toEqual([])
  })

  test('no files import each other in a circle', () => {
    const imports = new Map(
      product.map((file) => [
        file,
        importsOf(file)
          .filter((specifier) => specifier.startsWith('.'))
          .map((specifier) => path.posix.join(path.posix.dirname(file), specifier)),
      ]),
    )
    expect(inCircles(imports)).toEqual([])
    expect(
      inCircles(
        new Map([
          ['a', ['b']],
          ['b', ['c', 'd']],
          ['c', ['b']],
          ['d', []],
        ]),
      ),
    ).toEqual(['b', 'c'])
  })

  test('an outside package is imported only in its home', () => {
    const wrong = product.flatMap((file) =>
      importsOf(file)
        .filter((specifier) =>
          HOMES.some(([name, homes]) => name.test(specifier) && !homes.some((home) => file.startsWith(home))),
        )
        .map((specifier) => `${file} imports ${specifier}`),
    )
    expect(wrong).toEqual([])
  })

  test('every relative import names its file', () => {
    const wrong = product.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.') && !/\.(ts|mjs|js|json)$/.test(specifier))
        .map((specifier) => `${file} imports ${specifier}`),
    )
    expect(wrong).toEqual([])
  })

  test('no file is longer than the limit', () => {
    const long = product
      .map((file) => ({ file, lines: readFileSync(path.join(root, file), 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > FILE_LINES_MAX)
    expect(long).toEqual([])
  })

  test('no folder holds more files than can be looked over', () => {
    const byFolder = Map.groupBy(product, (file) => path.posix.dirname(file))
    const full = [...byFolder].map(([folder, inside]) => [folder, inside.length] as const)
    expect(full.filter(([, count]) => count > FOLDER_FILES_MAX)).toEqual([])
  })

  test('no file has a name that says nothing', () => {
    expect(files.filter((file) => BANNED_NAMES.test(file))).toEqual([])
  })

  test('the product reads nothing beside its own folder', () => {
    const text = (file: string): string => readFileSync(path.join(root, file), 'utf8')
    expect(product.filter((file) => /\.\.\/shared\b/.test(text(file)))).toEqual([])
  })
})
