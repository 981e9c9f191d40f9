import type { ResolveFnOutput } from 'node:module'
import { registerHooks } from 'node:module'
import path from 'node:path'

const SDK_SPECIFIER = 'drawbridge-gateway/plugin'

/**
 * Lets `import … from 'drawbridge-gateway/plugin'` in a plugin's file, wherever it lies and whatever is installed
 * there, give this gateway's own SDK. Returns what takes it back.
 */
export function resolveSdkImports(): () => void {
  // `.ts` in the checkout, `.js` in the built package: the SDK has the extension of this file.
  const url = new URL(`../sdk${path.extname(import.meta.url)}`, import.meta.url).href
  const hooks = registerHooks({
    resolve: (specifier, context, nextResolve) =>
      specifier === SDK_SPECIFIER ? { url, shortCircuit: true } : asModule(nextResolve(specifier, context)),
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
