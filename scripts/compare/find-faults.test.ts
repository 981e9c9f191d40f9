import { expect, test } from 'vitest'
import { expectedLabel } from './catalog-plugin.ts'
import type { ComparedMode, ModeEvidence, ModeResult } from './comparison.ts'
import { findFaults } from './find-faults.ts'
import { TASK } from './task.ts'

const CODE_TOOLS = '[{"name":"tool_search_code"}]'

test('a comparison in which everything holds has no fault', () => {
  expect(findFaults(aComparison())).toEqual([])
})

const spoilt: readonly (readonly [string, Parameters<typeof aComparison>[0], string])[] = [
  ['called another tool', { code: { finalTool: 'plugin:depot:create_label' } }, 'code: the final tool is'],
  ['called a tool of another source', { tools: { finalSource: 'mcp' } }, 'tools: its source is "mcp"'],
  ['gave another result', { tools: { result: 'LBL-000000000000' } }, 'tools: the answer'],
  ['sent a larger first request than direct', { tools: { requestBytes: 9_001 } }, 'tools: the first request'],
  ['sent more in all than direct', { code: { totalBytes: 18_001 } }, 'code: the requests of the turn'],
  ['searched nothing', { tools: { searches: 0 } }, 'tools: nothing was searched'],
  ['showed too few tools in direct', { direct: { toolsDeclared: 35 } }, 'direct: 35 tools were shown, not all 36'],
  ['took as many steps as it did not report', { code: { steps: 3 } }, 'code: the session log says 3 steps'],
]
test.each(spoilt)('a mode that %s is a fault', (_, results, fault) => {
  expect(findFaults(aComparison(results)).join('\n')).toContain(fault)
})

test('what the plugin ran counts, whatever the log says', () => {
  const comparison = aComparison()
  const twice = { ...comparison.code, ran: [...comparison.code.ran, ...comparison.code.ran] }
  expect(findFaults({ ...comparison, code: twice })).toEqual([expect.stringContaining('code: the plugin ran')])
  const never = { ...comparison.toolsMode, ran: [] }
  expect(findFaults({ ...comparison, toolsMode: never })).toEqual([
    expect.stringContaining('tools: the plugin ran nothing'),
  ])
})

test('a search mode that shows one tool of the catalog is a fault', () => {
  const comparison = aComparison()
  const leaking = { ...comparison.code, toolNames: ['tool_search_code', 'depot__list_order'] }
  expect(findFaults({ ...comparison, code: leaking })).toEqual([expect.stringContaining('code: the tools shown are')])
})

test('code tools that grow with the catalog, or past 2,500 bytes, are a fault', () => {
  const comparison = aComparison()
  expect(findFaults({ ...comparison, smallestCodeTools: '[]' })).toEqual([expect.stringContaining('letter for letter')])
  const large = aComparison({ code: { toolsBytes: 2_500 } })
  expect(findFaults(large).join('\n')).toContain('not under 2500')
})

test('a session log that differs from the wire is a fault', () => {
  const comparison = aComparison()
  const direct = { ...comparison.direct, logged: { mode: 'direct', toolsDeclared: 36, toolsBytes: 1 } }
  expect(findFaults({ ...comparison, direct })).toEqual([expect.stringContaining('the session log says 1 bytes')])
})

function aComparison(results: Partial<Record<ComparedMode, Partial<ModeResult>>> = {}) {
  const { direct = {}, code = {}, tools = {} } = results
  return {
    tools: 36,
    direct: anEvidence({ mode: 'direct', toolsDeclared: 36, requestBytes: 9_000, totalBytes: 18_000, ...direct }, [
      'depot__list_order',
    ]),
    code: anEvidence({ mode: 'code', toolsDeclared: 1, searches: 1, describes: 1, ...code }, ['tool_search_code']),
    toolsMode: anEvidence({ mode: 'tools', toolsDeclared: 3, searches: 1, describes: 1, ...tools }, [
      'tool_search',
      'tool_describe',
      'tool_call',
    ]),
    smallestCodeTools: CODE_TOOLS,
  }
}

function anEvidence(
  given: Partial<ModeResult> & { readonly mode: ComparedMode },
  toolNames: readonly string[],
): ModeEvidence {
  const result: ModeResult = {
    toolsDeclared: 1,
    toolsBytes: 1_000,
    promptBytes: 100,
    requestBytes: 1_200,
    totalBytes: 2_500,
    estimatedTokens: 625,
    steps: 2,
    searches: 0,
    describes: 0,
    calls: 1,
    finalTool: `plugin:depot:${TASK.tool}`,
    finalSource: 'plugin',
    result: `The label number is ${expectedLabel()}.`,
    wallMs: 10,
    ...given,
  }
  return {
    result,
    toolNames,
    toolsTexts: [CODE_TOOLS, CODE_TOOLS],
    logged: { mode: given.mode, toolsDeclared: result.toolsDeclared, toolsBytes: result.toolsBytes },
    ran: [JSON.stringify({ tool: TASK.tool, args: TASK.args })],
  }
}
