import type { Config } from './schema/config-schema.ts'
import type { Environment } from './secrets/resolve-references.ts'

/** The embedded stand-in, for who has no key yet. */
const SCRIPTED_MODEL = 'scripted/scripted'

const OPENAI_BASE_URL = 'https://api.openai.com/v1'
const OPENAI_MODEL = 'gpt-5.4'

/** Something that was probably meant otherwise, and how. */
export interface ModelNotice {
  readonly message: string
  readonly fix: string
}

export interface DefaultModel {
  readonly models: Config['models'] & { readonly default: string }
  /** The key that the environment gave, if it was used. */
  readonly secrets: readonly string[]
  /** What of the environment was not used though it was probably meant to be. */
  readonly notice?: ModelNotice
  /** What of the environment cannot be used. */
  readonly problem?: string
}

/**
 * Settles which model is used when nobody names one: the configured one; else, when no provider is configured and
 * `OPENAI_API_KEY` is set, that provider (at `OPENAI_BASE_URL`, with `DRAWBRIDGE_MODEL`); else the stand-in.
 */
export function settleDefaultModel(models: Config['models'], env: Environment): DefaultModel {
  const apiKey = env['OPENAI_API_KEY']
  if (Object.keys(models.providers).length > 0 || models.default !== undefined || !apiKey) {
    const settled = models.default ?? firstModel(models) ?? SCRIPTED_MODEL
    const isMeant = models.default !== undefined || settled !== SCRIPTED_MODEL
    const notice = isMeant ? undefined : unusedEnvironment(env)
    return { models: { ...models, default: settled }, secrets: [], ...(notice !== undefined && { notice }) }
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
    ...(!isAddress(openai.baseUrl) && { problem: 'OPENAI_BASE_URL is no http:// or https:// address' }),
  }
}

/** `localhost:11434/v1` can be parsed too, as a scheme and what is there. */
function isAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

/** Somebody who means a model of their own would else wonder why a stand-in answers. */
function unusedEnvironment(env: Environment): ModelNotice | undefined {
  if (env['OPENAI_API_KEY']) {
    const message = 'OPENAI_API_KEY is not used, since providers are configured and no model is the default'
    return { message, fix: 'set models.default' }
  }
  const set = ['OPENAI_BASE_URL', 'DRAWBRIDGE_MODEL'].find((name) => env[name])
  if (set === undefined) return undefined
  return {
    message: `${set} is used only with OPENAI_API_KEY`,
    fix: 'set that too, to any text where the server wants none',
  }
}

/** With one provider that lists its models there is no doubt. */
function firstModel(models: Config['models']): string | undefined {
  const [provider, ...others] = Object.entries(models.providers)
  const [model] = Object.keys(provider?.[1].models ?? {})
  return provider === undefined || others.length > 0 || model === undefined ? undefined : `${provider[0]}/${model}`
}
