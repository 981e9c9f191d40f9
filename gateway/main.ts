import { enableCompileCache } from 'node:module'
import path from 'node:path'

// A checkout runs the TypeScript: stripped and compiled once for all starts, a gateway listens in two thirds of the time. It
// is kept where the packages are, which are trusted as much. Where that cannot be written, each start does it again.
if (import.meta.url.endsWith('.ts')) {
  const cache = path.join(import.meta.dirname, '../node_modules/.cache/drawbridge')
  enableCompileCache(cache)
  // `npm start` and `npx drawbridge` say so before, for this file's sake; what a gateway starts has nothing to keep there.
  if (process.env['NODE_COMPILE_CACHE'] === cache) delete process.env['NODE_COMPILE_CACHE']
}

// Not by name: that would be loaded before the line above has run. For every command it was half of its time.
await import('./command.ts')
