import type { Mode } from '../../bridge/presentation/presentation.ts'
import type { SourceStatus } from '../../catalog/source.ts'

/** What a person who has just started the gateway wants to know. */
export interface BannerFacts {
  readonly version: string
  readonly url: string
  readonly stateDirectory: string
  /** Undefined when there is no configuration file. */
  readonly configFile: string | undefined
  /** Plain text of a token made at this start; undefined later, when only the file `tokens` has it. */
  readonly chatToken: string | undefined
  readonly tokenFile: string
  readonly hasEnvironmentToken: boolean
  /** `provider/model` of the default agent. */
  readonly model: string
  readonly isScripted: boolean
  readonly mode: { readonly configured: Mode; readonly inForce: Mode; readonly reason?: string }
  readonly sources: readonly SourceStatus[]
  readonly problems: readonly string[]
  /** What the model is shown, and what showing every tool would have cost. */
  readonly shown: {
    readonly tools: number
    readonly bytes: number
    readonly directTools: number
    readonly directBytes: number
  }
}

/**
 * How the command is called where the gateway was started: a checkout has none on the path. `--no`, since outside of the
 * checkout npx would fetch, and run, a package of strangers that has the same name.
 */
export type CommandName = 'drawbridge' | 'npx --no drawbridge'

/** Plain text, a fact a line, and the one command to try next. */
export function bannerText(facts: BannerFacts, command: CommandName): string {
  const { shown, mode } = facts
  const lines = [
    `Drawbridge ${facts.version}`,
    `  address   ${facts.url}`,
    `  token     ${tokenLine(facts)}`,
    `  config    ${facts.configFile ?? `none yet (defaults; "${command} config set" makes one)`}`,
    `  state     ${facts.stateDirectory}`,
    `  model     ${facts.model}${facts.isScripted ? ' (an embedded, deterministic stand-in, not a language model)' : ''}`,
    `  tools     ${toolsLine(facts.sources)}`,
    `  mode      ${mode.inForce}: the model sees ${count(shown.tools, 'tool')}, ${shown.bytes} bytes (direct: ${count(shown.directTools, 'tool')}, ${shown.directBytes} bytes)`,
    ...(mode.reason === undefined ? [] : [`  notice    mode "${mode.configured}" is not possible: ${mode.reason}`]),
    ...facts.problems.map((problem) => `  problem   ${problem}`),
    '',
    'Try:',
    ...tryLines(facts, command),
  ]
  return `${lines.join('\n')}\n`
}

function tokenLine({ chatToken, tokenFile, hasEnvironmentToken }: BannerFacts): string {
  if (chatToken !== undefined) return `${chatToken} (chat; shown once, kept in ${tokenFile})`
  return hasEnvironmentToken ? 'DRAWBRIDGE_TOKEN (admin)' : `in ${tokenFile}`
}

function toolsLine(sources: readonly SourceStatus[]): string {
  // What is wrong with a plugin stands in a line of its own, with its reason.
  const failed = sources.filter(({ source, state }) => source === 'plugin' && state.kind === 'down')
  const shown = sources.filter((each) => !failed.includes(each)).map(sourceText)
  if (failed.length > 0) shown.push(`${count(failed.length, 'plugin')} down`)
  return shown.join(', ') || 'none'
}

function sourceText({ source, owner, toolCount, state }: SourceStatus): string {
  const name = `${toolCount} from ${source} ${owner}`
  switch (state.kind) {
    case 'ready':
      return name
    case 'connecting':
      return `${name} (connecting)`
    case 'down':
      return state.needs === 'login' ? `${name} (needs login)` : `${name} (down)`
  }
}

function tryLines(facts: BannerFacts, command: CommandName): readonly string[] {
  const { url, stateDirectory, chatToken, hasEnvironmentToken } = facts
  const kept = `$(${command} tokens show --state-dir ${quoted(stateDirectory)})`
  const token = hasEnvironmentToken ? '$DRAWBRIDGE_TOKEN' : (chatToken ?? kept)
  return [
    `  curl ${url}/v1/chat/completions -H "Authorization: Bearer ${token}" -H "content-type: application/json" \\`,
    `    -d '{"model":"drawbridge","messages":[{"role":"user","content":"Which invoices are overdue?"}]}'`,
  ]
}

/** For a shell, whatever the path holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
