import type { JsonObject, JsonValue } from '../../../../catalog/json.ts'
import { scopesFault, TOKEN_DEFAULTS } from '../../../state/tokens/issue-token.ts'
import { stateDirectoryPath } from '../../../state/state-directory-path.ts'
import { readTokenFile, tokenFile, writeTokenFile } from '../../../state/tokens/token-file.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { CliFailure } from '../../cli-failure.ts'
import { createOutput, harmless, inColumns } from '../../output.ts'
import { openTokenDesk } from '../../token-desk.ts'
import { textOf, textsOf } from '../failed-answer.ts'

export interface TokenFlags {
  readonly stateDir?: string
  readonly config?: string
  readonly json?: true
}

export interface CreateFlags extends TokenFlags {
  readonly tenant?: string
  readonly scopes?: readonly string[]
  readonly agents?: readonly string[]
  readonly channels?: readonly string[]
  readonly save?: true
}

export interface RevokeFlags extends TokenFlags {
  readonly tenant?: string
}

interface Asked<Flags> {
  readonly flags: Flags
  readonly deps: CliDeps
}

export async function createToken({
  name,
  flags,
  deps,
}: Asked<CreateFlags> & { readonly name: string }): Promise<void> {
  const output = createOutput(deps)
  const { tenant = TOKEN_DEFAULTS.tenant, scopes = TOKEN_DEFAULTS.scopes, agents, channels } = flags
  const fault = scopesFault(scopes)
  if (fault !== undefined) throw new CliFailure(2, `--scopes: ${fault}`)
  const desk = await openTokenDesk(flags, deps)
  const made = await desk.create({ name, tenant, scopes, ...(agents && { agents }), ...(channels && { channels }) })
  const token = textOf(made, 'token') ?? ''
  if (flags.save) {
    const folder = stateDirectoryPath(flags.stateDir, deps.env)
    await writeTokenFile(folder, { ...(await readTokenFile(folder)), [name]: token })
  }
  if (flags.json) return output.json(made)
  const where = flags.save ? 'kept for "tokens show"' : 'shown this once'
  output.note(`token "${name}" of tenant "${tenant}" with ${textsOf(made['scopes']).join(', ')}; ${where}`)
  return output.line(token)
}

export async function listTokens({ flags, deps }: Asked<TokenFlags>): Promise<void> {
  const output = createOutput(deps)
  const tokens = await (await openTokenDesk(flags, deps)).list()
  if (flags.json) return output.json({ tokens })
  for (const line of inColumns(tokens.map(partsOf))) output.line(line)
  return output.note(tokens.length === 1 ? '1 token' : `${tokens.length} tokens`)
}

export async function revokeOne({
  token,
  flags,
  deps,
}: Asked<RevokeFlags> & { readonly token: string }): Promise<void> {
  const output = createOutput(deps)
  const desk = await openTokenDesk(flags, deps)
  const revoked = await desk.revoke(idOf(token, await desk.list(), flags.tenant))
  if (flags.json) return output.json(revoked)
  return output.line(`revoked ${textOf(revoked, 'id')} (${textOf(revoked, 'name')})`)
}

export async function showToken({ name, flags, deps }: Asked<TokenFlags> & { readonly name: string }): Promise<void> {
  const folder = stateDirectoryPath(flags.stateDir, deps.env)
  const tokens = await readTokenFile(folder)
  const token = Object.hasOwn(tokens, name) ? tokens[name] : undefined
  if (token === undefined) {
    const known = Object.keys(tokens)
    const found = known.length === 0 ? 'it holds none; start the gateway once' : `it holds ${known.join(', ')}`
    throw new CliFailure(1, `there is no token "${name}" in "${tokenFile(folder)}"; ${found}`)
  }
  const output = createOutput(deps)
  if (flags.json) output.json({ name, token })
  else output.line(token)
}

/** By id, else by the name of one that still works. */
function idOf(given: string, tokens: readonly JsonObject[], tenant: string | undefined): string {
  const byId = tokens.find((token) => token['id'] === given)
  const named = tokens.filter(
    (token) =>
      token['name'] === given &&
      token['revokedMs'] === undefined &&
      (tenant === undefined || token['tenant'] === tenant),
  )
  const found = byId ?? (named.length === 1 ? named[0] : undefined)
  const id = found && textOf(found, 'id')
  if (id !== undefined) return id
  if (named.length === 0) throw new CliFailure(1, `there is no token "${given}"; "tokens list" shows all`)
  const choices = named.map((token) => `${textOf(token, 'tenant')}: ${textOf(token, 'id')}`).join(', ')
  throw new CliFailure(1, `${named.length} tokens are called "${given}"; name one by id or --tenant (${choices})`)
}

function partsOf(token: JsonObject): readonly string[] {
  const agents = textsOf(token['agents']).join(',') || 'all agents'
  const revoked = dateOf(token['revokedMs'])
  const state = revoked === undefined ? `made ${dateOf(token['createdMs'])}` : `revoked ${revoked}`
  const name = `${textOf(token, 'tenant')}/${textOf(token, 'name')}`
  const channels = textsOf(token['channels']).map((channel) => `, speaks for ${channel}`)
  return [
    textOf(token, 'id') ?? '',
    name,
    textsOf(token['scopes']).join(','),
    agents,
    [state, ...channels].join(''),
  ].map(harmless)
}

function dateOf(ms: JsonValue | undefined): string | undefined {
  return typeof ms === 'number' ? new Date(ms).toISOString().slice(0, 10) : undefined
}
