import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { aTool } from '../../catalog/testing/a-tool.ts'
import type { Tool } from '../../catalog/tool.ts'
import type { CallerPolicy } from '../decide.ts'
import { createPolicy } from '../policy.ts'
import type { ApprovalDefault, PolicyRule } from '../settings.ts'
import { aPolicy } from '../testing/a-policy.ts'
import { policySettings } from '../testing/policy-settings.ts'

const LARGE = { properties: { amount: { exclusiveMinimum: 100 } }, required: ['amount'] }
const ROOT_PATH = { properties: { path: { pattern: '^/' } }, required: ['path'] }
const refund = aTool({ owner: 'payments', name: 'refund' })

function under(rules: readonly PolicyRule[], approvals: ApprovalDefault = 'off'): CallerPolicy {
  return aPolicy(policySettings({ rules, approvals })).of({ agent: 'default' })
}

describe('a rule', () => {
  test('holds for the calls whose arguments match, and tells its place and reason', () => {
    const own = under([
      { tool: 'nothing', effect: 'deny' },
      { tool: 'refund', when: LARGE, effect: 'ask', reason: 'large' },
    ])
    expect(own.decide(refund, { amount: 101 })).toEqual({ kind: 'ask', rule: 'tools.rules[1]', reason: 'large' })
    expect(own.decide(refund, { amount: 100 })).toEqual({ kind: 'allow' })
    expect(own.decide(refund, {})).toEqual({ kind: 'allow' })
  })

  test('that denies wins over one that asks, and that over one that allows, in whatever order they stand', () => {
    const rules: readonly PolicyRule[] = [{ effect: 'allow' }, { effect: 'ask' }, { effect: 'deny', reason: 'no' }]
    expect(under(rules).decide(refund, {})).toEqual({
      kind: 'deny',
      layer: 'rules',
      rule: 'tools.rules[2]',
      path: ['tools', 'rules', 2],
      reason: 'no',
    })
    expect(under(rules.slice(0, 2)).decide(refund, {})).toMatchObject({ kind: 'ask' })
    expect(under(rules.toReversed().slice(1)).decide(refund, {})).toMatchObject({ kind: 'ask' })
  })

  test('that allows answers the default, and neither a list nor another rule', () => {
    const allow: PolicyRule = { tool: 'refund', effect: 'allow' }
    expect(under([], 'all').decide(refund, {})).toEqual({ kind: 'ask', rule: 'tools.approvals' })
    expect(under([allow], 'all').decide(refund, {})).toEqual({ kind: 'allow' })
    const denied = aPolicy(policySettings({ deny: ['refund'], rules: [allow] })).of({ agent: 'default' })
    expect(denied.decide(refund, {})).toMatchObject({ kind: 'deny', layer: 'global' })
  })

  test('is about what a tool says of itself, and who says nothing is taken to do the most', () => {
    const own = under([{ annotations: { destructiveHint: true }, effect: 'ask' }])
    expect(own.decide(aTool(), {})).toMatchObject({ kind: 'ask' })
    expect(own.decide(aTool({ annotations: { destructiveHint: false } }), {})).toEqual({ kind: 'allow' })
    expect(own.decide(aTool({ annotations: { readOnlyHint: true } }), {})).toEqual({ kind: 'allow' })
  })

  test('that cannot be decided keeps the call back', () => {
    const rules = (effect: PolicyRule['effect']) =>
      createPolicy(policySettings({ rules: [{ when: ROOT_PATH, effect }], approvals: 'all' }), {
        matches: () => 'undecided',
      }).of({ agent: 'default' })
    expect(rules('deny').decide(refund, { path: '/' })).toMatchObject({ kind: 'deny' })
    expect(rules('ask').decide(refund, { path: '/' })).toMatchObject({ kind: 'ask', rule: 'tools.rules[0]' })
    expect(rules('allow').decide(refund, { path: '/' })).toMatchObject({ kind: 'ask', rule: 'tools.approvals' })
  })
})

describe('the word for approvals', () => {
  const reads = aTool({ annotations: { readOnlyHint: true } })
  const adds = aTool({ annotations: { readOnlyHint: false, destructiveHint: false } })
  const says = aTool()
  test.each([
    ['off', []],
    ['destructive', [says]],
    ['writes', [adds, says]],
    ['all', [reads, adds, says]],
  ] as const)('%s', (word, asked) => {
    const own = under([], word)
    expect([reads, adds, says].filter((tool) => own.decide(tool, {}).kind === 'ask')).toEqual([...asked])
  })
})

describe('what a call would need', () => {
  const need = (rules: readonly PolicyRule[], word: ApprovalDefault = 'off', tool: Tool = refund) =>
    under(rules, word).approvalNeed(tool)

  test('never, always, or by which arguments', () => {
    expect(need([])).toMatchObject({ needed: 'never' })
    expect(need([], 'all')).toMatchObject({ needed: 'always', rules: ['tools.approvals'] })
    expect(need([{ effect: 'ask', reason: 'r' }])).toMatchObject({ needed: 'always', reasons: ['r'] })
    expect(need([{ when: LARGE, effect: 'ask', reason: 'large' }])).toEqual({
      needed: 'sometimes',
      rules: ['tools.rules[0]'],
      reasons: ['large'],
      dependsOn: ['amount'],
    })
    expect(need([{ when: LARGE, effect: 'allow' }], 'all')).toMatchObject({
      needed: 'sometimes',
      dependsOn: ['amount'],
    })
    expect(need([{ effect: 'allow' }], 'all')).toMatchObject({ needed: 'never' })
    expect(need([{ tool: 'other', effect: 'ask' }])).toMatchObject({ needed: 'never' })
  })

  test('an always is never a never: what is said before a call agrees with what is decided at it', () => {
    const rules: readonly PolicyRule[] = [
      { when: LARGE, effect: 'ask' },
      { when: { properties: { note: { type: 'string' } }, required: ['note'] }, effect: 'allow' },
    ]
    for (const word of ['off', 'all'] as const) {
      const own = under(rules, word)
      const kinds = new Set([{}, { amount: 500 }, { note: 'x' }].map((input) => own.decide(refund, input).kind))
      expect([word, own.approvalNeed(refund).needed, kinds.size]).toEqual([word, 'sometimes', 2])
    }
  })
})

describe('a denied value of an enumerated argument', () => {
  const ACTIONS = ['list', 'create', 'delete']
  const withAction = (action: JsonObject, more: JsonObject = {}): Tool =>
    aTool({
      name: 'files',
      inputSchema: { type: 'object', properties: { action, path: { type: 'string' } }, required: ['action'], ...more },
    })
  const deny = (...values: readonly string[]): PolicyRule => ({
    tool: 'files',
    when: { properties: { action: { enum: [...values] } }, required: ['action'] },
    effect: 'deny',
  })
  const shown = (tool: Tool, ...rules: readonly PolicyRule[]) => under(rules).shown(tool)?.inputSchema

  test('is not shown, and the rest of the tool is as it was', () => {
    const tool = withAction({ type: 'string', enum: ACTIONS, default: 'delete' })
    expect(shown(tool, deny('delete'))).toEqual({
      type: 'object',
      properties: { action: { type: 'string', enum: ['list', 'create'] }, path: { type: 'string' } },
      required: ['action'],
    })
    expect(under([deny('delete')]).shown(tool)?.schemaHash).toBe(tool.schemaHash)
    expect(under([deny('nothing')]).shown(tool)).toBe(tool)
  })

  test('is found as a constant of several, behind a reference, and as true or false', () => {
    const titled = ACTIONS.map((value) => ({ const: value, title: value.toUpperCase() }))
    expect(shown(withAction({ oneOf: titled }), deny('delete', 'create'))).toMatchObject({
      properties: { action: { oneOf: [{ const: 'list' }] } },
    })
    const behind = withAction({ $ref: '#/$defs/action' }, { $defs: { action: { enum: ACTIONS } } })
    expect(shown(behind, deny('delete'))).toMatchObject({ properties: { action: { enum: ['list', 'create'] } } })
    const force = withAction({ enum: ACTIONS }, { properties: { force: { type: 'boolean' } }, required: [] })
    const rule: PolicyRule = { when: { properties: { force: { const: true } }, required: ['force'] }, effect: 'deny' }
    expect(shown(force, rule)).toMatchObject({ properties: { force: { type: 'boolean', enum: [false] } } })
  })

  test('is looked for behind whatever reference a tool writes', () => {
    const odd = withAction({ $ref: '#/$defs/100%' }, { $defs: { '100%': { enum: ACTIONS } } })
    expect(shown(odd, deny('delete'))).toMatchObject({ properties: { action: { enum: ['list', 'create'] } } })
  })

  test('takes its branch of a schema that is one of several', () => {
    const branch = (value: string): JsonObject => ({ properties: { action: { const: value } }, required: ['action'] })
    const tool = aTool({ name: 'files', inputSchema: { type: 'object', oneOf: ACTIONS.map(branch) } })
    expect(shown(tool, deny('delete'))).toEqual({ type: 'object', oneOf: [branch('list'), branch('create')] })
    expect(shown(tool, deny(...ACTIONS))).toBeUndefined()
  })

  test('of several rules adds up, and a tool without an allowed action is not shown', () => {
    const tool = withAction({ enum: ACTIONS })
    expect(shown(tool, deny('delete'), deny('list'))).toMatchObject({ properties: { action: { enum: ['create'] } } })
    expect(shown(tool, deny('delete'), deny('list', 'create'))).toBeUndefined()
    expect(under([{ tool: 'files', effect: 'deny' }]).shown(tool)).toBeUndefined()
    expect(under([{ tool: 'files', when: {}, effect: 'deny' }]).shown(tool)).toBeUndefined()
  })

  test('an argument that can be left out is taken out, or becomes required where leaving it out is refused', () => {
    const optional = withAction({ enum: ACTIONS }, { required: [] })
    expect(shown(optional, deny(...ACTIONS))).toMatchObject({ properties: { path: { type: 'string' } } })
    expect(shown(optional, deny(...ACTIONS))?.['properties']).not.toHaveProperty('action')
    const absentToo: PolicyRule = { when: { properties: { action: { enum: ['delete'] } } }, effect: 'deny' }
    expect(shown(optional, absentToo)).toMatchObject({
      properties: { action: { enum: ['list', 'create'] } },
      required: ['action'],
    })
  })

  test('that hangs on another argument too is shown, and refused at the call', () => {
    const tool = withAction({ enum: ACTIONS })
    const when = {
      properties: { action: { const: 'delete' }, path: { pattern: '^/etc' } },
      required: ['action', 'path'],
    }
    const own = under([{ tool: 'files', when, effect: 'deny' }])
    expect(own.shown(tool)).toBe(tool)
    expect(own.decide(tool, { action: 'delete', path: '/etc/x' })).toMatchObject({
      kind: 'deny',
      rule: 'tools.rules[0]',
    })
    expect(own.decide(tool, { action: 'delete', path: '/tmp/x' })).toEqual({ kind: 'allow' })
  })
})

test('a value of an enumerated argument is shown exactly when some call with it is not refused', () => {
  const VALUES = ['list', 'create', 'delete', 'purge']
  const value = fc.constantFrom(...VALUES)
  const part: fc.Arbitrary<JsonObject> = fc.oneof(
    value.map((one) => ({ const: one })),
    fc.subarray(VALUES, { minLength: 1 }).map((some) => ({ enum: some })),
    value.map((one) => ({ not: { const: one } })),
    fc.constantFrom({ pattern: '^.e' }, { maxLength: 4 }),
  )
  const when = fc.record({ action: part, isRequired: fc.boolean() }).map(({ action, isRequired }) => ({
    properties: { action },
    ...(isRequired && { required: ['action'] }),
  }))
  fc.assert(
    fc.property(fc.array(when, { maxLength: 3 }), fc.boolean(), (whens, isRequired) => {
      const own = under(whens.map((each) => ({ tool: 'files', when: each, effect: 'deny' })))
      const tool = aTool({
        name: 'files',
        inputSchema: {
          type: 'object',
          properties: { action: { enum: VALUES } },
          ...(isRequired && { required: ['action'] }),
        },
      })
      const isAllowed = (input: JsonObject): boolean => own.decide(tool, input).kind === 'allow'
      const kept = VALUES.filter((action) => isAllowed({ action }))
      const shown = own.shown(tool)?.inputSchema
      if (kept.length === 0 && (isRequired || !isAllowed({}))) return shown === undefined
      const action = shownProperty(shown, 'action')
      const needs = shown?.['required'] ?? []
      const isNeeded = Array.isArray(needs) && needs.includes('action')
      if (kept.length === 0) return action === undefined
      return JSON.stringify(action?.['enum']) === JSON.stringify(kept) && isNeeded === (isRequired || !isAllowed({}))
    }),
    { numRuns: 2_000 },
  )
})

function shownProperty(schema: JsonObject | undefined, name: string): JsonObject | undefined {
  const properties = schema?.['properties']
  const property = isJsonObject(properties) ? properties[name] : undefined
  return isJsonObject(property) ? property : undefined
}
