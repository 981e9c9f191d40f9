import type { Provider } from './provider.ts'

/**
 * A provider whose library is loaded with its first step. That takes an eighth of a second once, of which nobody sees
 * anything beside a model's answer; at the start, everyone would wait for it, whatever they came for.
 */
export function createLateProvider(name: string, load: () => Promise<Provider>): Provider {
  let loading: Promise<Provider> | undefined
  return {
    name,
    async *step(request, signal) {
      loading ??= load()
      yield* (await loading).step(request, signal)
    },
  }
}
