import { isJsonObject } from '../catalog/json.ts'
import { findGroupCircle, groupsOf, isBuiltInGroup } from './entries/groups.ts'
import type { PolicyPath } from './layer.ts'
import { BUILT_IN_PROFILES } from './layers/profiles.ts'
import type { PolicyProblem, PolicyProblemDeps } from './policy-problem.ts'
import type { PolicySettings, ToolScope } from './settings.ts'
import { findHidingGroups, findUnknownGroups } from './unknown-groups.ts'

/** What is wrong with a policy, and where, that no schema can say. A policy with any of these is not taken. */
export function findPolicyProblems(settings: PolicySettings, deps: PolicyProblemDeps): readonly PolicyProblem[] {
  const { tools } = settings
  return [
    ...scopesOf(settings).flatMap(({ scope, path }) => scopeProblems(scope, path, { settings, deps })),
    ...Object.keys(tools.profiles).flatMap(builtInProfile),
    ...groupProblems(tools.groups),
    ...findHidingGroups(settings, deps),
    ...findUnknownGroups(settings, deps),
    ...Object.keys(tools.toolsBySender).flatMap(senderProblem),
    ...tools.rules.flatMap(({ when }, index) => {
      const fault = isJsonObject(when) ? deps.schemaFault(when) : undefined
      return fault === undefined
        ? []
        : [{ path: ['tools', 'rules', index, 'when'], message: `cannot be enforced: ${fault}` }]
    }),
    ...twins(Object.keys(settings.agents), ['agents']),
    ...twins(Object.keys(tools.groups), ['tools', 'groups']),
    ...twins(Object.keys(tools.byProvider), ['tools', 'byProvider']),
    ...twins(Object.keys(tools.byChannel), ['tools', 'byChannel']),
  ]
}

interface PlacedScope {
  readonly scope: ToolScope
  readonly path: PolicyPath
}

/** Every scope that may name a profile. */
export function scopesOf({ tools, agents }: PolicySettings): readonly PlacedScope[] {
  const inner = (byProvider: Readonly<Record<string, ToolScope>>, path: PolicyPath): readonly PlacedScope[] =>
    Object.entries(byProvider).map(([name, scope]) => ({ scope, path: [...path, 'byProvider', name] }))
  return [
    { scope: tools, path: ['tools'] },
    ...inner(tools.byProvider, ['tools']),
    ...Object.entries(agents).flatMap(([name, agent]) => {
      const path = ['agents', name, 'tools']
      return [{ scope: agent.tools, path }, ...inner(agent.tools.byProvider, path)]
    }),
  ]
}

interface Judging {
  readonly settings: PolicySettings
  readonly deps: PolicyProblemDeps
}

function scopeProblems(
  { allow, alsoAllow, profile }: ToolScope,
  path: PolicyPath,
  { settings, deps }: Judging,
): readonly PolicyProblem[] {
  const problems: PolicyProblem[] = []
  if (allow.length > 0 && alsoAllow.length > 0) {
    const message =
      'stands beside "allow" in the same scope; put its entries into "allow", or start from a "profile" instead of "allow"'
    problems.push({ path: [...path, 'alsoAllow'], message })
  }
  const known = [...Object.keys(BUILT_IN_PROFILES), ...Object.keys(settings.tools.profiles)]
  if (profile !== undefined && !known.includes(profile)) {
    const nearest = deps.nearestName(profile, known)
    const way =
      nearest === undefined
        ? `there are ${known.join(', ')}; make your own under tools.profiles`
        : `did you mean "${nearest}"?`
    problems.push({ path: [...path, 'profile'], message: `names the profile "${profile}", which there is not; ${way}` })
  }
  return problems
}

function builtInProfile(name: string): readonly PolicyProblem[] {
  if (!Object.hasOwn(BUILT_IN_PROFILES, name)) return []
  return [
    { path: ['tools', 'profiles', name], message: `"${name}" is always there and stays as it is; take another name` },
  ]
}

function groupProblems(own: PolicySettings['tools']['groups']): readonly PolicyProblem[] {
  const taken = Object.keys(own)
    .filter((name) => isBuiltInGroup(name.toLowerCase()))
    .map((name) => ({ path: ['tools', 'groups', name], message: `group:${name} is always there; take another name` }))
  const circle = findGroupCircle(groupsOf(own))
  if (circle === undefined) return taken
  const [first = ''] = circle
  const written = Object.keys(own).find((name) => name.toLowerCase() === first) ?? first
  const message = `goes in a circle: ${circle.map((name) => `group:${name}`).join(' → ')}`
  return [...taken, { path: ['tools', 'groups', written], message }]
}

const SENDER_KEY = /^(?:channel:[^:\s]+:\S.*|id:\S.*|username:\S.*|\*)$/

function senderProblem(key: string): readonly PolicyProblem[] {
  if (SENDER_KEY.test(key)) return []
  const message = `"${key}" names no sender; write channel:<channel>:<id>, id:<id>, username:<name>, or * for all others`
  return [{ path: ['tools', 'toolsBySender', key], message }]
}

/** Two names that differ by case alone are one to a reader, and the narrower lists of one would not hold for the other. */
function twins(names: readonly string[], path: PolicyPath): readonly PolicyProblem[] {
  const seen = new Map<string, string>()
  return names.flatMap((name) => {
    const first = seen.get(name.toLowerCase())
    seen.set(name.toLowerCase(), first ?? name)
    return first === undefined
      ? []
      : [{ path: [...path, name], message: `is "${first}" again in other letters; keep one of the two` }]
  })
}
