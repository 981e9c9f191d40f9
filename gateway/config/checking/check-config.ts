import { readSecretPattern } from '../../../bridge/redact/secret-pattern.ts'
import type { Finding } from '../../schema/find-problems.ts'
import { nearestName } from '../../schema/nearest-name.ts'
import { checkMcp } from './check-mcp.ts'
import { checkPolicy } from './check-policy.ts'
import { checkWebhooks } from './check-webhooks.ts'
import type { ConfigPath } from '../document/config-path.ts'
import type { Config } from '../schema/config-schema.ts'
import { toolSearchOf } from '../tool-search.ts'

/** What no schema can say: names that must exist, numbers that must agree, expressions that must compile. */
export function checkConfig(config: Config): readonly Finding[] {
  return [
    ...checkModel(config, config.models.default, ['models', 'default']),
    ...Object.entries(config.agents).flatMap(([name, agent]) =>
      checkModel(config, agent.model, ['agents', name, 'model']),
    ),
    ...checkLimits(config),
    ...checkAddresses(config),
    ...checkPolicy(config),
    ...checkMcp(config),
    ...checkWebhooks(config.approvals.webhooks),
    ...config.redact.patterns.flatMap((pattern, index) => checkPattern(pattern, ['redact', 'patterns', index])),
  ]
}

function checkModel(config: Config, model: string | undefined, path: ConfigPath): readonly Finding[] {
  if (model === undefined) return []
  const slash = model.indexOf('/')
  const providerName = model.slice(0, slash)
  const modelName = model.slice(slash + 1)
  const { providers } = config.models
  const known = [...Object.keys(providers), 'scripted']
  if (!known.includes(providerName)) {
    const way = meant(providerName, known, `configured providers: ${known.join(', ')}`)
    return [{ path, message: `"${model}" names the provider "${providerName}", which is not configured; ${way}` }]
  }
  const listed = Object.keys(providers[providerName]?.models ?? {})
  if (listed.length === 0 || listed.includes(modelName)) return []
  const way = meant(modelName, listed, `add it under models.providers.${providerName}.models`)
  return [{ path, message: `"${model}" is not among the models that provider "${providerName}" lists; ${way}` }]
}

function meant(given: string, names: readonly string[], otherwise: string): string {
  const nearest = nearestName(given, names)
  return nearest === undefined ? otherwise : `did you mean "${nearest}"?`
}

function checkLimits(config: Config): readonly Finding[] {
  const { searchDefaultLimit, maxSearchLimit } = toolSearchOf(config)
  if (searchDefaultLimit <= maxSearchLimit) return []
  const message = `is ${searchDefaultLimit}, more than maxSearchLimit ${maxSearchLimit}; lower it or raise maxSearchLimit`
  return [{ path: ['tools', 'toolSearch', 'searchDefaultLimit'], message }]
}

/** The schema's pattern takes what looks like an address; this refuses what no client could connect to. */
function checkAddresses(config: Config): readonly Finding[] {
  const providers = Object.entries(config.models.providers).map(
    ([name, { baseUrl }]) => [['models', 'providers', name, 'baseUrl'], baseUrl] as const,
  )
  const servers = Object.entries(config.mcp.servers).flatMap(([name, server]) =>
    'url' in server ? [[['mcp', 'servers', name, 'url'], server.url] as const] : [],
  )
  const { endpoint } = config.telemetry.otlp
  const collector = endpoint === undefined ? [] : [[['telemetry', 'otlp', 'endpoint'], endpoint] as const]
  return [...providers, ...servers, ...collector].flatMap(([path, url]) =>
    URL.canParse(url) ? [] : [{ path, message: 'is not an address that can be parsed; check host and port' }],
  )
}

/** Whatever is taken here, the redactor takes. */
function checkPattern(pattern: string, path: ConfigPath): readonly Finding[] {
  try {
    if (new RegExp(pattern, 'u').test(''))
      return [{ path, message: 'matches the empty text; it would replace everything' }]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [{ path, message: `is not a regular expression that can be used: ${reason}` }]
  }
  const read = readSecretPattern(pattern)
  return read.kind === 'usable' ? [] : [{ path, message: `cannot be used: ${read.reason}` }]
}
