import type { JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { MASK } from '../schema/credential-name.ts'
import { quoteValue } from '../schema/expectation.ts'
import type { Finding, FindOptions } from '../schema/find-problems.ts'
import { findProblems } from '../schema/find-problems.ts'
import type { SchemaNode } from '../schema/schema-node.ts'
import { checkConfig } from './checking/check-config.ts'
import type { ConfigProblem } from './config-problem.ts'
import type { ModelNotice } from './default-model.ts'
import { settleDefaultModel } from './default-model.ts'
import type { ConfigPath } from './document/config-path.ts'
import { valueAt } from './document/config-path.ts'
import type { ConfigDocument } from './document/parse-document.ts'
import { parseDocument } from './document/parse-document.ts'
import type { Config } from './schema/config-schema.ts'
import { configSchema } from './schema/config-schema.ts'
import { fileSchemaOf } from './schema/file-schema.ts'
import { fillDefaults } from './schema/fill-defaults.ts'
import { maskSecrets } from './secrets/mask-secrets.ts'
import { hasReference } from './secrets/references.ts'
import type { ResolveOptions } from './secrets/resolve-references.ts'
import { resolveReferences } from './secrets/resolve-references.ts'

export type ReadConfig =
  | {
      readonly kind: 'read'
      readonly config: ResolvedConfig
      /** What was read; the places of what holds are looked up in it. */
      readonly text: string
      /** Values that must never be shown, longest first; for the redactor. */
      readonly secrets: readonly string[]
      /** References of single MCP servers that cannot be resolved: each of these servers is down, all else holds. */
      readonly unresolved: readonly ConfigProblem[]
      /** MCP servers with a secret that a file or a command gave. */
      readonly fetchedFor: readonly string[]
      /** What of the environment is not used though it was probably meant to be. */
      readonly notice?: ModelNotice
    }
  | { readonly kind: 'invalid'; readonly problems: readonly ConfigProblem[] }

/** The configuration in force: some model is always the default, and there is always an agent `default`. */
export type ResolvedConfig = Config & {
  readonly models: { readonly default: string }
  /** Why a server cannot be connected to as it is configured, by its name; absent where there is none. */
  readonly mcp: { readonly faults?: Readonly<Record<string, string>> }
}

/** What a file must look like; also what `config schema` prints. */
export const configFileSchema: SchemaNode = fileSchemaOf(configSchema)

/** Reads the text of a configuration: every problem at once, or the whole of it, ready to use. */
export async function readConfig(text: string, options: ResolveOptions): Promise<ReadConfig> {
  const parsed = parseDocument(text)
  if (parsed.kind === 'invalid') return parsed
  const { document } = parsed
  const findOptions = optionsFor(document.value)
  const shape = findProblems(configFileSchema, document.value, findOptions)
  if (shape.length > 0) return { kind: 'invalid', problems: locate(document, 'invalid', shape) }
  const resolved = await resolveReferences(configFileSchema, document.value, options)
  const references = locate(document, 'reference', resolved.problems)
  const filled = fillDefaults(configFileSchema, withDefaultAgent(resolved.value))
  const config: unknown = filled
  // What a reference stands for is judged too; a message still shows only what the file says.
  const judged = findProblems(configSchema, filled, findOptions)
  if (!isConfig(config, judged)) {
    return { kind: 'invalid', problems: [...references, ...locate(document, 'invalid', judged)] }
  }
  const { models, secrets, notice, problem } = settleDefaultModel(config.models, options.env)
  // What the environment gave stands nowhere in the file.
  const tested = { ...config, models: problem === undefined ? models : config.models }
  const checked = checkConfig(tested).filter(({ path }) => !isOpen(valueAt(filled, path)))
  const ofEnvironment = problem === undefined ? [] : [{ kind: 'reference' as const, path: [], message: problem }]
  const problems = [...references, ...locate(document, 'invalid', checked), ...ofEnvironment]
  // One server whose secret is not there is no reason to be without all the others.
  if (problems.some((problem) => serverOf(problem) === undefined)) return { kind: 'invalid', problems }
  const settled = { ...config, models, mcp: withFaults(config.mcp, problems) }
  const fetchedFor = resolved.fetched.flatMap((path) => serverAt(path) ?? [])
  const common = { text, secrets: [...resolved.secrets, ...secrets], unresolved: problems, fetchedFor }
  return { kind: 'read', config: settled, ...common, ...(notice !== undefined && { notice }) }
}

/** The MCP server that a reference which cannot be resolved belongs to. */
function serverOf({ kind, path }: ConfigProblem): string | undefined {
  return kind === 'reference' ? serverAt(path) : undefined
}

function serverAt([section, part, server]: ConfigPath): string | undefined {
  return section === 'mcp' && part === 'servers' && typeof server === 'string' ? server : undefined
}

function withFaults(mcp: Config['mcp'], problems: readonly ConfigProblem[]): ResolvedConfig['mcp'] & Config['mcp'] {
  if (problems.length === 0) return mcp
  const entries = problems.map((problem) => [serverOf(problem), problem.message])
  return { ...mcp, faults: Object.fromEntries(entries.toReversed()) }
}

function withDefaultAgent(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value
  const agents = value['agents']
  return { ...value, agents: { default: {}, ...(isJsonObject(agents) ? agents : {}) } }
}

/** The type follows from the schema that found nothing. */
function isConfig(_value: unknown, judged: readonly Finding[]): _value is Config {
  return judged.length === 0
}

/** Messages quote a value as `config get` would show it. */
function optionsFor(fileValue: JsonValue): FindOptions {
  const shown = maskSecrets(configFileSchema, fileValue)
  return {
    quote: (_value, path) => {
      const value = valueAt(shown, path)
      return value === undefined ? MASK : quoteValue(value)
    },
    isOpen,
  }
}

/** A reference that could not be resolved: it is reported as such, and cannot be judged. */
function isOpen(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && hasReference(value)
}

function locate(
  document: ConfigDocument,
  kind: ConfigProblem['kind'],
  findings: readonly Finding[],
): readonly ConfigProblem[] {
  return findings.map(({ path, message }) => ({ kind, path, message, position: document.positionOf(path) }))
}
