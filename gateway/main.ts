import { enableCompileCache } from 'node:module'
import path from 'node:path'

// A checkout runs the TypeScript itself. With what was stripped and compiled kept from one start to the next, a gateway
// listens in two thirds of the time. It is kept beside the packages, which are trusted as much; where that folder cannot be
// written, each start compiles anew.
if (import.meta.url.endsWith('.ts')) {
  const cache = path.join(import.meta.dirname, '../node_modules/.cache/drawbridge')
  enableCompileCache(cache)
  // `npm start` and `npx drawbridge` set this variable, so that this very file is kept too. Processes that the gateway starts,
  // such as MCP servers, must not inherit it: they have nothing to keep there.
  if (process.env['NODE_COMPILE_CACHE'] === cache) delete process.env['NODE_COMPILE_CACHE']
}

// Not by a static import: that would be loaded before the cache is on, and each command would take twice as long.
await import('./command.ts')
