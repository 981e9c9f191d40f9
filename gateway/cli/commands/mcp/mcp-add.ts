import type { JsonObject } from '../../../../catalog/json.ts'
import { valueAt } from '../../../config/document/config-path.ts'
import type { EditResult } from '../../../config/document/edit-document.ts'
import { setPath } from '../../../config/document/edit-document.ts'
import { parseDocument } from '../../../config/document/parse-document.ts'
import { CliFailure } from '../../cli-failure.ts'
import { applyEdit } from '../config/config-edits.ts'
import type { Asked, ConfigFlags } from '../config/config-flags.ts'
import { tellEdit } from '../config/tell-edit.ts'

export interface AddFlags extends ConfigFlags {
  readonly env: readonly string[]
  readonly header: readonly string[]
  readonly cwd?: string
  readonly replace?: true
  readonly dryRun?: true
}

interface AddRequest extends Asked<AddFlags> {
  readonly name: string
  /** The command and its arguments, or the address. */
  readonly words: readonly string[]
}

export async function addServer(request: AddRequest): Promise<void> {
  const { name, flags } = request
  if (!SERVER_NAME.test(name)) {
    throw new CliFailure(2, `"${name}" cannot be the name of a server: letters, digits, "_", "-" and ".", at most 64`)
  }
  const path = ['mcp', 'servers', name]
  const server = serverOf(request)
  const result = await applyEdit(request, path, (text) => addTo(text, { path, server, mayReplace: !!flags.replace }))
  await tellEdit(result, path, request)
}

/** As the configuration has it; its own message shows the pattern. */
const SERVER_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/

function addTo(
  text: string,
  given: { readonly path: readonly string[]; readonly server: JsonObject; readonly mayReplace: boolean },
): EditResult {
  const { path, server, mayReplace } = given
  const parsed = parseDocument(text.trim() === '' ? '{}' : text)
  const isThere = parsed.kind === 'document' && valueAt(parsed.document.value, path) !== undefined
  const edited = setPath(text, path, server)
  if (!isThere || mayReplace || edited.kind !== 'edited') return edited
  const message = `server "${path.at(-1)}" is configured already, otherwise; add --replace to put this one in its place`
  return { kind: 'conflict', message }
}

/** An address is told from a command by how it begins. */
function serverOf({ words: [target = '', ...args], flags }: AddRequest): JsonObject {
  const [env, headers] = [pairsOf(flags.env, '=', '--env'), pairsOf(flags.header, ':', '--header')]
  const hasHeaders = Object.keys(headers).length > 0
  if (/^https?:\/\//i.test(target)) {
    if (args.length > 0) throw new CliFailure(2, `an address takes no arguments, got ${JSON.stringify(args[0])}`)
    if (flags.env.length > 0 || flags.cwd !== undefined) {
      throw new CliFailure(2, '--env and --cwd are for servers that are started by a command')
    }
    return { url: target, ...(hasHeaders && { headers }) }
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) {
    throw new CliFailure(2, `"${target}" is neither an http:// or https:// address nor a command`)
  }
  if (args.length === 0 && looksLikeAddress(target)) {
    const scheme = /^(?:localhost|127\.|\[)/.test(target) ? 'http' : 'https'
    throw new CliFailure(
      2,
      `"${target}" looks like an address; write ${scheme}://${target}, or ./${target} for a program`,
    )
  }
  if (hasHeaders) throw new CliFailure(2, '--header is for servers that have an address')
  return {
    command: target,
    ...(args.length > 0 && { args }),
    ...(Object.keys(env).length > 0 && { env }),
    ...(flags.cwd !== undefined && { cwd: flags.cwd }),
  }
}

/** `example.com/mcp` and `localhost:3000/mcp`; no program is called so. */
function looksLikeAddress(target: string): boolean {
  return /^(?:localhost|[\w-]+(?:\.[\w-]+)+|\[[\da-f:]+\])(?::\d+)?\/\S*$/i.test(target) || /^[\w.-]+:\d+$/.test(target)
}

function pairsOf(texts: readonly string[], separator: '=' | ':', flag: string): JsonObject {
  const pairs = texts.map((text) => {
    const at = text.indexOf(separator)
    const name = text.slice(0, at).trim()
    if (at > 0 && name !== '') return [name, separator === ':' ? text.slice(at + 1).trim() : text.slice(at + 1)]
    // Not the text itself: it may be the secret without its name.
    throw new CliFailure(2, `${flag} wants a name, "${separator}" and a value`)
  })
  return Object.fromEntries(pairs)
}
