import { expectedLabel } from './catalog-plugin.ts'
import type { ModeEvidence } from './comparison.ts'
import { PLUGIN_ID, TASK } from './task.ts'

/** The whole `tools` array of code mode, for any catalog. */
const CODE_TOOLS_MAX_BYTES = 2_500

const OWN_TOOLS: Readonly<Record<'code' | 'tools', readonly string[]>> = {
  code: ['tool_search_code'],
  tools: ['tool_search', 'tool_describe', 'tool_call'],
}

interface Compared {
  readonly tools: number
  readonly direct: ModeEvidence
  readonly code: ModeEvidence
  readonly toolsMode: ModeEvidence
  /** The `tools` array of code mode over a catalog of one tool. */
  readonly smallestCodeTools: string
}

/** Everything that keeps the comparison from standing; empty when it stands. */
export function findFaults(compared: Compared): readonly string[] {
  const { tools, direct, code, toolsMode } = compared
  return [
    ...[direct, code, toolsMode].flatMap(findTaskFaults),
    ...[direct, code, toolsMode].flatMap(findLogFaults),
    ...findDirectFaults(direct, tools),
    ...[code, toolsMode].flatMap((searched) => findSearchFaults(searched, direct)),
    ...findCodeFaults(code, compared.smallestCodeTools),
  ]
}

function findTaskFaults({ result, ran }: ModeEvidence): readonly string[] {
  const expectedTool = `plugin:${PLUGIN_ID}:${TASK.tool}`
  const expectedCall = JSON.stringify({ tool: TASK.tool, args: TASK.args })
  return faults(result.mode, [
    [result.finalTool === expectedTool, `the final tool is "${result.finalTool}", not ${expectedTool}`],
    [result.finalSource === 'plugin', `its source is "${result.finalSource}", not plugin`],
    [result.result.includes(expectedLabel()), `the answer "${result.result}" does not have ${expectedLabel()}`],
    [
      ran.length === 1 && ran[0] === expectedCall,
      `the plugin ran ${ran.length === 0 ? 'nothing' : ran.join(' ')}, not ${expectedCall} once`,
    ],
  ])
}

function findLogFaults({ result, logged, toolsTexts }: ModeEvidence): readonly string[] {
  return faults(result.mode, [
    [logged.mode === result.mode, `the session log says mode "${logged.mode}"`],
    [
      logged.toolsDeclared === result.toolsDeclared,
      `the session log says ${logged.toolsDeclared} tools, the wire ${result.toolsDeclared}`,
    ],
    [
      logged.toolsBytes === result.toolsBytes,
      `the session log says ${logged.toolsBytes} bytes of tools, the wire ${result.toolsBytes}`,
    ],
    [result.steps === toolsTexts.length, `the session log says ${result.steps} steps, the wire ${toolsTexts.length}`],
    [new Set(toolsTexts).size === 1, 'the tools changed from one request of the turn to the next'],
  ])
}

function findDirectFaults(direct: ModeEvidence, tools: number): readonly string[] {
  const own = Object.values(OWN_TOOLS).flat()
  return faults('direct', [
    [direct.result.toolsDeclared === tools, `${direct.result.toolsDeclared} tools were shown, not all ${tools}`],
    [!direct.toolNames.some((name) => own.includes(name)), 'a search tool was shown'],
    [direct.result.searches + direct.result.describes === 0, 'something was searched or described'],
  ])
}

function findSearchFaults({ result, toolNames }: ModeEvidence, direct: ModeEvidence): readonly string[] {
  const own = result.mode === 'direct' ? [] : OWN_TOOLS[result.mode]
  return faults(result.mode, [
    [
      toolNames.toSorted().join() === own.toSorted().join(),
      `the tools shown are ${toolNames.slice(0, 5).join(', ')}, not ${own.join(', ')} alone`,
    ],
    [
      result.requestBytes < direct.result.requestBytes,
      `the first request has ${result.requestBytes} bytes, direct has ${direct.result.requestBytes}`,
    ],
    [
      result.totalBytes < direct.result.totalBytes,
      `the requests of the turn have ${result.totalBytes} bytes, direct has ${direct.result.totalBytes}`,
    ],
    [result.searches > 0 && result.describes > 0, 'nothing was searched or nothing described'],
  ])
}

function findCodeFaults({ result, toolsTexts }: ModeEvidence, smallest: string): readonly string[] {
  return faults('code', [
    [
      result.toolsBytes < CODE_TOOLS_MAX_BYTES,
      `the tools have ${result.toolsBytes} bytes, not under ${CODE_TOOLS_MAX_BYTES}`,
    ],
    [toolsTexts[0] === smallest, 'the tools are not those of a catalog of one tool, letter for letter'],
  ])
}

function faults(mode: string, checks: readonly (readonly [boolean, string])[]): readonly string[] {
  return checks.filter(([holds]) => !holds).map(([, fault]) => `${mode}: ${fault}`)
}
