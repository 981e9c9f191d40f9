import { isJsonObject } from '../../../catalog/json.ts'
import type { ResolvedConfig } from '../../config/read-config.ts'
import type { ProviderConfig } from '../../config/schema/config-schema.ts'
import { nearestName } from '../../schema/nearest-name.ts'
import type { CliDeps } from '../cli-deps.ts'
import { objectsOf, textOf } from '../commands/failed-answer.ts'
import { PROVIDER_WAIT_MS } from '../limits.ts'
import type { DoctorFinding } from './doctor-finding.ts'
import { fine } from './doctor-finding.ts'
import type { Examined } from './examined.ts'

export interface ProvidersToCheck {
  readonly loaded: Examined['loaded']
  readonly deps: Pick<CliDeps, 'fetch'>
}

/** Whether each provider can be reached and takes its key, by its list of models: the request that costs nothing. */
export async function checkProviders({ loaded, deps }: ProvidersToCheck): Promise<readonly DoctorFinding[]> {
  if (loaded.kind === 'invalid') return []
  const { config, notice } = loaded
  const providers = Object.entries(config.models.providers)
  const found = await Promise.all(providers.map((provider) => checkProvider(provider, config, deps.fetch)))
  if (notice !== undefined) return [...found.flat(), { check: 'provider', level: 'warning', ...notice }]
  if (providers.length > 0) return found.flat()
  return [fine('provider', 'none is configured; the embedded stand-in answers, which is not a language model')]
}

async function checkProvider(
  [name, settings]: readonly [string, ProviderConfig],
  config: ResolvedConfig,
  fetch: CliDeps['fetch'],
): Promise<readonly DoctorFinding[]> {
  const at = `models.providers.${name}`
  const url = `${settings.baseUrl.replace(/\/+$/, '')}/models`
  const found = (level: 'warning' | 'problem', message: string, fix: string): readonly DoctorFinding[] => [
    { check: 'provider', level, message: `${name}: ${message}`, fix },
  ]
  const answer = await ask(url, settings, fetch)
  if (answer.kind === 'failed') {
    return found(
      'problem',
      `${originOf(url)} cannot be reached (${answer.reason})`,
      `check ${at}.baseUrl, and what runs there`,
    )
  }
  const { status } = answer
  if (status === 401 || status === 403) {
    const key = settings.apiKey === undefined ? 'asks for a key, and none is set' : 'refuses the key'
    return found('problem', `it ${key} (${status})`, `set ${at}.apiKey`)
  }
  // Answered all the same: the wire is there, only its list of models is not.
  if (status === 404 || status === 405 || status === 429) {
    return [fine('provider', `${name} answers (${status}), without a list of models; its key was not tried`)]
  }
  if (status !== 200) {
    return found(
      'warning',
      `it answers ${status} where its models are listed`,
      `check ${at}.baseUrl, or ask again later`,
    )
  }
  const unlisted = modelsOf(name, config).flatMap((model) => unlistedModel(model, answer.models))
  if (unlisted.length > 0) {
    return unlisted.flatMap((message) => found('warning', message, 'name a model that it has'))
  }
  return [fine('provider', `${name} answers and takes its key`)]
}

type ModelsAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly models: readonly string[] }
  | { readonly kind: 'failed'; readonly reason: string }

async function ask(url: string, { apiKey, headers }: ProviderConfig, fetch: CliDeps['fetch']): Promise<ModelsAnswer> {
  try {
    const authorization = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }
    // A redirect is not followed: the key is meant for this place alone.
    const options = { redirect: 'manual', signal: AbortSignal.timeout(PROVIDER_WAIT_MS) } as const
    const response = await fetch(url, { ...options, headers: { ...authorization, ...headers } })
    return { kind: 'answered', status: response.status, models: response.ok ? idsOf(await response.text()) : [] }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return { kind: 'failed', reason: isLate ? `no answer in ${PROVIDER_WAIT_MS} ms` : (code ?? 'no connection') }
  }
}

function idsOf(text: string): readonly string[] {
  try {
    const body: unknown = JSON.parse(text)
    return objectsOf(isJsonObject(body) ? body['data'] : undefined).flatMap((model) => textOf(model, 'id') ?? [])
  } catch {
    // Not a list in the form that is known: then nothing is said of the models.
    return []
  }
}

function modelsOf(provider: string, { models, agents }: ResolvedConfig): readonly string[] {
  const named = [models.default, ...Object.values(agents).map((agent) => agent.model)]
  const own = named.flatMap((model) => (model?.startsWith(`${provider}/`) ? [model.slice(provider.length + 1)] : []))
  return [...new Set(own)]
}

function unlistedModel(model: string, listed: readonly string[]): readonly string[] {
  if (listed.length === 0 || listed.includes(model)) return []
  const nearest = nearestName(model, listed)
  return [`model "${model}" is not in its list${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`]
}

/** Without a path or query, where a key may stand. */
function originOf(url: string): string {
  return URL.parse(url)?.origin ?? 'its address'
}
