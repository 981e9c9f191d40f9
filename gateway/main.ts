import { enableCompileCache } from 'node:module'
import path from 'node:path'

// A checkout runs the TypeScript: stripped and compiled once for all starts, a gateway listens in two thirds of the time. It
// is kept where the packages are, which are trusted as much. Where that cannot be written, each start does it again.
if (import.meta.url.endsWith('.ts')) {
  enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/drawbridge'))
}

// Not by name: that would be loaded before the line above has run. For every command it was half of its time.
await import('./command.ts')
