import type { Config } from './schema/config-schema.ts'
import type { Environment } from './secrets/resolve-references.ts'

/** The embedded stand-in, for who has no key yet. */
const SCRIPTED_MODEL = 'scripted/scripted'

const OPENAI_BASE_URL = 'https://api.openai.com/v1'
const OPENAI_MODEL = 'gpt-5.4'

export interface DefaultModel {
  readonly models: Config['models'] & { readonly default: string }
  /** The key that the environment gave, if it was used. */
  readonly secrets: readonly string[]
}

/**
 * Settles which model is used when nobody names one: the configured one; else, when no provider is configured and
 * `OPENAI_API_KEY` is set, that provider (at `OPENAI_BASE_URL`, with `DRAWBRIDGE_MODEL`); else the stand-in.
 */
export function settleDefaultModel(models: Config['models'], env: Environment): DefaultModel {
  const apiKey = env['OPENAI_API_KEY']
  if (Object.keys(models.providers).length > 0 || models.default !== undefined || !apiKey) {
    return { models: { ...models, default: models.default ?? firstModel(models) ?? SCRIPTED_MODEL }, secrets: [] }
  }
  const openai = {
    api: 'openai-chat' as const,
    baseUrl: env['OPENAI_BASE_URL'] || OPENAI_BASE_URL,
    apiKey,
    headers: {},
    models: {},
  }
  return {
    models: { providers: { openai }, default: `openai/${env['DRAWBRIDGE_MODEL'] || OPENAI_MODEL}` },
    secrets: [apiKey],
  }
}

/** With one provider that lists its models there is no doubt. */
function firstModel(models: Config['models']): string | undefined {
  const [provider, ...others] = Object.entries(models.providers)
  const [model] = Object.keys(provider?.[1].models ?? {})
  return provider === undefined || others.length > 0 || model === undefined ? undefined : `${provider[0]}/${model}`
}
