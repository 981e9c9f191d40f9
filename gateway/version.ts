import { readFileSync } from 'node:fs'

/** Version of the package, from the nearest package.json above this file (the build lies one folder deeper). */
export function packageVersion(): string {
  for (const place of ['../package.json', '../../package.json']) {
    try {
      const { name, version }: { readonly name?: string; readonly version?: string } = JSON.parse(
        readFileSync(new URL(place, import.meta.url), 'utf8'),
      )
      if (name === 'drawbridge-gateway' && version !== undefined) return version
    } catch {
      // Not there: the next place is tried.
    }
  }
  return '0.0.0'
}
