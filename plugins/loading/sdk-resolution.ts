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
      specifier === SDK_SPECIFIER ? { url, shortCircuit: true } : nextResolve(specifier, context),
  })
  return () => hooks.deregister()
}
