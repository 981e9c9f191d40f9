import { expect, test } from 'vitest'
import { aTool } from '../../../catalog/testing/a-tool.ts'
import { aPolicy } from '../../../policy/testing/a-policy.ts'
import { createConfigPlaces } from '../../explaining/config-places.ts'
import { formatProblem } from '../config-problem.ts'
import { findPolicyWarnings } from './policy-warnings.ts'
import { readConfig } from '../read-config.ts'

async function problemsOf(text: string): Promise<readonly string[]> {
  const read = await readConfig(text, { env: {}, directory: '/' })
  return read.kind === 'invalid' ? read.problems.map((problem) => formatProblem(problem, 'f')) : []
}

async function warningsOf(text: string): Promise<readonly string[]> {
  const read = await readConfig(text, { env: {}, directory: '/' })
  if (read.kind === 'invalid') throw new Error(read.problems.map((problem) => formatProblem(problem, 'f')).join('\n'))
  return findPolicyWarnings(read.config).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test.each([
  [
    'tools',
    "{ tools: { allow: ['a'], alsoAllow: ['b'] } }",
    'f:1:26: tools.alsoAllow: stands beside "allow" in the same scope',
  ],
  [
    'by provider',
    "{ tools: { byProvider: { openai: { allow: ['a'], alsoAllow: ['b'] } } } }",
    'tools.byProvider.openai.alsoAllow: stands beside "allow"',
  ],
  [
    'of an agent',
    "{ agents: { a: { tools: { allow: ['a'], alsoAllow: ['b'] } } } }",
    'agents.a.tools.alsoAllow: stands beside "allow"',
  ],
])('allow with alsoAllow in one scope is refused with its path: %s', async (_where, text, expected) => {
  expect(await problemsOf(text)).toEqual([expect.stringContaining(expected)])
})

test('the same of an agent is refused where it stands, also when it is written in other letters', async () => {
  expect(await problemsOf('{ agents: { a: {}, a: {} } }')).toEqual([expect.stringMatching(/agents\.a: stands twice/)])
  expect(await problemsOf('{ agents: { support: {}, Support: {} } }')).toEqual([
    'f:1:26: agents.Support: is "support" again in other letters; keep one of the two',
  ])
})

test.each([
  [
    "{ tools: { profile: 'readnly' } }",
    'tools.profile: names the profile "readnly", which there is not; did you mean "readonly"?',
  ],
  ['{ tools: { profiles: { full: {} } } }', 'tools.profiles.full: "full" is always there'],
  ['{ tools: { groups: { MCP: [] } } }', 'tools.groups.MCP: group:MCP is always there'],
  [
    "{ tools: { groups: { a: ['group:B'], b: ['x', 'group:a'] } } }",
    'tools.groups.a: goes in a circle: group:a → group:b → group:a',
  ],
  [
    "{ mcp: { servers: { github: { command: 'x' } } }, tools: { deny: ['x', 'group:githib'] } }",
    'tools.deny[1]: "group:githib" is the group of no plugin, server or tools.groups; did you mean "group:github"?',
  ],
  [
    "{ agents: { a: { tools: { byProvider: { openai: { deny: ['group:ledger'] } } } } } }",
    'agents.a.tools.byProvider.openai.deny[0]: "group:ledger" is the group of no plugin, server or tools.groups; name the plugin under plugins.entries or the group under tools.groups, or write "plugin:ledger:*"',
  ],
  ["{ tools: { groups: { risky: ['group:nobody'] } } }", 'tools.groups.risky[0]: "group:nobody" is the group of no'],
  ["{ tools: { mainAgentOnly: ['Group:Nobody'] } }", 'tools.mainAgentOnly[0]: "Group:Nobody" is the group of no'],
  [
    "{ tools: { rules: [{ tool: 'group:dmeo', effect: 'ask' }] } }",
    'tools.rules[0].tool: "group:dmeo" is the group of',
  ],
  [
    "{ mcp: { servers: { github: { command: 'x' } } }, tools: { groups: { GitHub: [] } } }",
    'tools.groups.GitHub: group:GitHub is the tools of the plugin or server of that name; take another name',
  ],
  ["{ tools: { toolsBySender: { 'U1': {} } } }", 'tools.toolsBySender.U1: "U1" names no sender; write channel:'],
  [
    "{ tools: { rules: [{ effect: 'ask', when: { properties: { a: { $ref: '#/nowhere' } } } }] } }",
    'tools.rules[0].when: cannot be enforced: ',
  ],
  [
    "{ tools: { rules: [{ effect: 'deny' }, { effect: 'ask', when: { $ref: '#/$defs/%' } }] } }",
    'tools.rules[1].when: cannot be enforced: #: $ref "#/$defs/%" points to nothing in the schema',
  ],
  [
    "{ tools: { rules: [{ effect: 'allow', when: { properties: { path: { pattern: '^(?!/etc)' } }, required: ['path'] } }] } }",
    'tools.rules[0].when: cannot be enforced: pattern "^(?!/etc)" at #/properties/path is not enforced: it has lookaround',
  ],
  [
    "{ tools: { rules: [{ effect: 'deny', when: { properties: { amount: { exclusiveMinimun: 5 } } } }] } }",
    'tools.rules[0].when: cannot be enforced: unknown keyword "exclusiveMinimun" is ignored',
  ],
  ["{ tools: { rules: [{ effect: 'allowed' }] } }", 'did you mean "allow"?'],
  ["{ tools: { approvals: 'always' } }", 'tools.approvals: is "always"'],
])('%s is refused', async (text, expected) => {
  expect(await problemsOf(text)).toEqual([expect.stringContaining(expected)])
})

test('a policy that says everything there is to say is read', async () => {
  const text = `{ tools: {
    profile: 'desk', alsoAllow: ['plugin:x:*'], deny: ['group:money'], approvals: 'destructive', mainAgentOnly: ['x'],
    profiles: { desk: { allow: ['plugin:desk:*'], annotations: { openWorldHint: false } } },
    groups: { money: ['plugin:payments:*'] },
    byProvider: { 'openai/gpt-x': { profile: 'readonly' } }, byChannel: { slack: { deny: ['a'] } },
    toolsBySender: { 'channel:slack:U1': {}, 'id:U2': {}, 'username:ann': {}, '*': { deny: ['a'] } },
    sandbox: { deny: ['b'] }, childAgents: { allow: ['c'] },
    rules: [{ tool: 'group:money', when: { properties: { amount: { exclusiveMinimum: 100 } }, required: ['amount'] }, effect: 'ask', reason: 'large' }],
  } }`
  expect(await problemsOf(text)).toEqual([])
})

test('a deny of a group that there is, by whatever way, is taken; so is an allow of one that there may be', async () => {
  const denies = ['group:demo', 'group:DESK', 'group:pay', 'group:web', 'group:mine', 'group:plugins', 'mcp:not_yet:*']
  const tools = {
    deny: denies,
    allow: ['group:nobody'],
    groups: { mine: [] },
    rules: [{ tool: 'group:x', effect: 'allow' }],
  }
  const plugins = { entries: { desk: {} }, paths: ['./plugins/pay.ts'] }
  const text = JSON.stringify({ plugins, tools, mcp: { servers: { web: { command: 'x' } } } })
  expect(await problemsOf(text)).toEqual([])
})

test('a deny of group:plugins is warned of where it leaves tools of MCP servers callable', async () => {
  const servers = "mcp: { servers: { files: { command: 'x' }, web: { command: 'x' } } }"
  expect(await warningsOf(`{ ${servers}, tools: { deny: ['x', 'group:plugins', 'mcp:web:*'] } }`)).toEqual([
    expect.stringMatching(
      /^tools\.deny\.1: group:plugins is the tools of plugins alone; those of MCP servers \(files\)/,
    ),
  ])
  expect(await warningsOf(`{ ${servers}, tools: { deny: ['group:plugins', 'group:mcp'] } }`)).toEqual([])
  expect(await warningsOf("{ tools: { deny: ['group:plugins'] } }")).toEqual([])
})

test('alsoAllow without a profile, and an allow rule that the absent argument meets, are warned of', async () => {
  const rule = "{ tool: 'pay', effect: 'allow', when: { properties: { amount: { maximum: 5 } } } }"
  expect(await warningsOf(`{ tools: { alsoAllow: ['a'], rules: [${rule}] } }`)).toEqual([
    expect.stringMatching(/^tools\.alsoAllow: adds to the profile of its own scope/),
    expect.stringMatching(/^tools\.rules\.0\.when: allows calls that leave out amount too/),
  ])
})

test('a policy of ten thousand entries is read from its file, and decides ten thousand tools', async () => {
  const tools = Array.from({ length: 10_000 }, (_, index) =>
    aTool({ source: 'mcp', owner: `s${index % 250}`, name: `t${index}` }),
  )
  const deny = tools.map(({ id }, index) => (index % 2 === 0 ? `"${id}"` : `"mcp:absent${index}:*"`))
  const read = await readConfig(`{ tools: { deny: [\n${deny.join(',\n')}\n] } }`, { env: {}, directory: '/' })
  if (read.kind === 'invalid') throw new Error(JSON.stringify(read.problems.slice(0, 3)))
  const own = aPolicy(read.config).of({ agent: 'default' })
  expect(tools.filter((tool) => own.shown(tool) === undefined)).toHaveLength(5_000)
  expect(own.verdict(tools[9_998] ?? aTool())).toMatchObject({ kind: 'deny', path: ['tools', 'deny', 9_998] })
  const place = createConfigPlaces({ text: read.text, file: 'f' })(['tools', 'deny', 9_998])
  expect(place).toEqual({ path: 'tools.deny[9998]', file: 'f', line: 10_000, column: 1 })
})
