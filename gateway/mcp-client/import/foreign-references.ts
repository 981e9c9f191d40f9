import type { ForeignContext } from './foreign-context.ts'

export interface ReferenceReader {
  /** The text with the references of other programs in our own form. */
  readonly read: (text: string) => string
}

export interface ReferenceDeps extends ForeignContext {
  /** Descriptions of VS Code's inputs by id. */
  readonly inputs: ReadonlyMap<string, string>
  readonly warn: (message: string) => void
}

/** `${env:X}`, `${input:x}`, `${X:-default}`, `${userHome}` and their like. */
const REFERENCE = /\$\{([^{}]{1,200})\}/g
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

export function createReferenceReader(deps: ReferenceDeps): ReferenceReader {
  return { read: (text) => text.replace(REFERENCE, (whole, inner: string) => readOne(whole, inner, deps)) }
}

function readOne(whole: string, inner: string, deps: ReferenceDeps): string {
  const { warn, inputs, env } = deps
  if (VARIABLE.test(inner)) return readPlace(inner, deps) ?? whole
  const [, kind, name] = /^(env|input):(.+)$/.exec(inner) ?? []
  if (kind === 'env' && name !== undefined && VARIABLE.test(name)) return `\${${name}}`
  if (kind === 'input' && name !== undefined) {
    const variable = variableOf(name)
    const what = inputs.get(name)
    const asked = what === undefined || what === '' ? '' : ` (${what})`
    warn(`input "${name}"${asked} is asked for there; here it is environment variable ${variable}`)
    return `\${${variable}}`
  }
  const [, fallen, fallback] = /^([A-Za-z_][A-Za-z0-9_]*):-(.*)$/.exec(inner) ?? []
  if (fallen !== undefined && fallback !== undefined) {
    if (env[fallen]) return `\${${fallen}}`
    warn(`"${whole}" has a default, which a reference here cannot have; the default was written in its place`)
    return fallback
  }
  const place = readPlace(inner, deps)
  if (place !== undefined) return place
  warn(`"${whole}" is not known here and stays as it is written`)
  return whole
}

function readPlace(name: string, { workspaceFolder, homeFolder, warn }: ReferenceDeps): string | undefined {
  switch (name) {
    case 'userHome':
      return homeFolder
    case 'workspaceFolder':
    case 'workspaceRoot':
      warn(`"\${${name}}" was taken to be "${workspaceFolder}"`)
      return workspaceFolder
    case 'pathSeparator':
    case '/':
      return '/'
    default:
      return undefined
  }
}

/** `perplexity-key` as `PERPLEXITY_KEY`. */
function variableOf(input: string): string {
  const name = input.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
  return /^[A-Z_]/.test(name) ? name : `INPUT_${name}`
}
