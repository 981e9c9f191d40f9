import type { ResolveFnOutput } from 'node:module'
import { registerHooks } from 'node:module'
import path from 'node:path'
import type { ModuleVersions } from './module-versions.ts'

const SDK_SPECIFIER = 'drawbridge-gateway/plugin'

/**
 * Gives a plugin's own files the addresses of their versions. Besides it lets `import … from 'drawbridge-gateway/plugin'` in a plugin's file, wherever it lies and whatever is installed
 * there, give this gateway's own SDK. Returns what takes it back.
 */
export function resolvePluginImports(versions: Pick<ModuleVersions, 'importUrl'>): () => void {
  // `.ts` in the checkout, `.js` in the built package: the SDK has the extension of this file.
  const url = new URL(`../sdk${path.extname(import.meta.url)}`, import.meta.url).href
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier === SDK_SPECIFIER) return { url, shortCircuit: true }
      const found = asModule(nextResolve(specifier, context))
      const versioned = versions.importUrl({ parentUrl: context.parentURL, url: found.url, format: found.format })
      return versioned === undefined ? found : { ...found, url: versioned }
    },
  })
  return () => hooks.deregister()
}

/**
 * A `.ts` file is a module whatever the nearest `package.json` says: `npm init` writes `"type": "commonjs"`, and a
 * plugin that was copied out of a page would not load there.
 */
function asModule(found: ResolveFnOutput): ResolveFnOutput {
  const isOther = found.format === 'commonjs-typescript' || found.format === undefined || found.format === null
  return isOther && /\.ts(?:\?|$)/.test(found.url) ? { ...found, format: 'module-typescript' } : found
}
