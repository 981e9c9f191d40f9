import { createLateProvider } from './late-provider.ts'
import type { Provider } from './provider.ts'
import { createScriptedProvider } from './scripted.ts'
import type { JsonObject } from '../../catalog/json.ts'
import { HttpError } from '../http/http-error.ts'
import type { ResolvedConfig } from '../config/read-config.ts'
import type { ProviderConfig } from '../config/schema/config-schema.ts'

export interface ChosenModel {
  readonly provider: Provider
  /** The provider's own name of the model. */
  readonly model: string
  /** Request parameters that hold unless the request sets them. */
  readonly parameters: JsonObject
}

/** The model of an agent: its own, else the default one. Rejects with 503 when its provider is not configured. */
export type ChooseModel = (agent: string) => ChosenModel

/** Providers are made once for a configuration; a new configuration makes new ones. */
export function createChooseModel(config: ResolvedConfig): ChooseModel {
  const providers = new Map<string, Provider>([['scripted', createScriptedProvider()]])
  const providerOf = (name: string, settings: ProviderConfig): Provider => {
    const known = providers.get(name)
    if (known !== undefined) return known
    const made = createLateProvider(name, async () => {
      const { createOpenAiChatProvider } = await import('./openai-chat.ts')
      return createOpenAiChatProvider({ name, ...settings })
    })
    providers.set(name, made)
    return made
  }
  return (agent) => {
    const { named, provider: name, model } = modelOf(agent, config)
    const settings = config.models.providers[name]
    const provider = settings === undefined ? providers.get(name) : providerOf(name, settings)
    if (provider === undefined) {
      const known = [...Object.keys(config.models.providers), 'scripted'].join(', ')
      throw new HttpError(
        'unavailable',
        `agent "${agent}" uses model "${named}", and no provider "${name}" is configured (there are: ${known}); ` +
          `set models.providers.${name}, or another model`,
      )
    }
    // Plain JSON, since it came out of the file; the copy says so to the compiler too.
    const parameters: JsonObject = JSON.parse(JSON.stringify(settings?.models[model]?.parameters ?? {}))
    return { provider, model, parameters }
  }
}

/** The model of an agent as it is written, and its two parts. */
export function modelOf(
  agent: string,
  config: Pick<ResolvedConfig, 'agents' | 'models'>,
): { readonly named: string; readonly provider: string; readonly model: string } {
  const named = config.agents[agent]?.model ?? config.models.default
  const slash = named.indexOf('/')
  return { named, provider: named.slice(0, slash), model: named.slice(slash + 1) }
}
