import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const pages = globSync('{*.md,{catalog,policy,bridge,plugins,gateway,scripts,e2e}/**/*.md}', { cwd: root })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => !file.includes('node_modules'))
/** How all is built, beside the test that holds the build to it. */
const HOW_BUILT = 'scripts/ARCHITECTURE.md'
const files = globSync('{catalog,policy,bridge,plugins,gateway,scripts,e2e}/**/*.{ts,mjs,js}', { cwd: root }).map(
  (file) => file.split(path.sep).join('/'),
)

const textOf = (page: string): string => readFileSync(path.join(root, page), 'utf8').replace(/^```.*?^```$/gms, '')

/** Links to files, by the page that they stand on. */
function linksOf(page: string): readonly string[] {
  return [...textOf(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
}

/** Source files that a page names (by a path from its folder or from the root, or by their name alone), and folders from the root. */
function sourcesNamedIn(page: string): readonly string[] {
  const named =
    /`([\w./-]*[\w-]\.(?:test\.)?(?:ts|mjs)|(?:catalog|policy|bridge|plugins|gateway|scripts|e2e)\/[\w/-]+\/)`/g
  return [...textOf(page).matchAll(named)].map((match) => match[1] ?? '')
}

function isThere(page: string, source: string): boolean {
  const folder = path.posix.dirname(page)
  if (source.endsWith('/')) return existsSync(path.join(root, source))
  const places = [path.posix.normalize(source), path.posix.join(folder, source)]
  return files.some((file) => places.includes(file) || file.endsWith(`/${source}`))
}

describe('documents', () => {
  test('every link leads to a file or folder', () => {
    const dead = pages.flatMap((page) =>
      linksOf(page)
        .filter((target) => !existsSync(path.join(root, path.dirname(page), target)))
        .map((target) => `${page}: ${target}`),
    )
    expect(dead).toEqual([])
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(50)
  })

  test('every source file that a page names is there', () => {
    const gone = pages.flatMap((page) =>
      sourcesNamedIn(page)
        .filter((source) => !isThere(page, source))
        .map((source) => `${page}: ${source}`),
    )
    expect(gone).toEqual([])
    expect(pages.flatMap(sourcesNamedIn).length).toBeGreaterThan(50)
  })

  test('every folder of the bridge and the gateway is told of on the page on how all is built', () => {
    const told = textOf(HOW_BUILT)
    const folders = ['bridge', 'gateway'].flatMap((top) =>
      readdirSync(path.join(root, top), { withFileTypes: true }).filter((entry) => entry.isDirectory()),
    )
    expect(folders.map(({ name }) => name).filter((name) => !told.includes(`\`${name}/\``))).toEqual([
      'testing',
      'testing',
    ])
  })

  test('every page of a folder is found from the page on how all is built', () => {
    const found = new Set(linksOf(HOW_BUILT).map((target) => path.posix.join('scripts', target)))
    expect(pages.filter((page) => page.includes('/') && page !== HOW_BUILT && !found.has(page))).toEqual([])
  })
})
