import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'

export interface GatewayFlags {
  readonly stateDir?: string
  readonly json?: true
  readonly agent?: string
  readonly session?: string
}

/** The options of every command that asks the running gateway. */
export function withGatewayOptions(command: Command): Command {
  return command
    .option('--state-dir <folder>', 'state directory of the gateway (DRAWBRIDGE_STATE_DIR, else ~/.drawbridge)')
    .option('--agent <name>', 'as this agent', parseHeaderText)
    .option('--session <id>', 'in this session', parseHeaderText)
    .option('--json', 'as JSON')
}

export function callerHeaders({ agent, session }: GatewayFlags): Readonly<Record<string, string>> {
  return {
    ...(agent !== undefined && { 'x-drawbridge-agent': agent }),
    ...(session !== undefined && { 'x-drawbridge-session': session }),
  }
}

function parseHeaderText(text: string): string {
  if (/^[\x21-\x7e]{1,256}$/.test(text)) return text
  throw new InvalidArgumentError('expected up to 256 printable characters without spaces')
}
