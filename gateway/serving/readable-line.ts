import type { JsonValue } from '../../catalog/json.ts'
import { isJsonObject } from '../../catalog/json.ts'
import { readJsonObject } from '../../catalog/read-json.ts'
import { harmless } from '../cli/output.ts'

/** A line of the log as a person reads it on a terminal; one that is none of ours stays as it is. */
export function readableLine(line: string): string {
  const entry = readJsonObject(line)
  const message = entry?.['msg']
  if (entry === undefined || typeof message !== 'string') return line
  const { level, time, msg: _msg, err, ...facts } = entry
  const at = typeof time === 'number' ? `${new Date(time).toISOString().slice(11, 19)} ` : ''
  const reason = reasonOf(err)
  const parts = Object.entries(facts).map(([name, value]) => `${name}: ${shown(value)}`)
  const more = parts.length === 0 ? '' : ` (${parts.join(', ')})`
  return `${at}${nameOf(level)}: ${flat(`${message}${reason}${more}`)}\n`
}

/** Levels of pino. */
function nameOf(level: JsonValue | undefined): string {
  return typeof level === 'number' && level >= 50 ? 'error' : 'warning'
}

/** The stack is in the log file. */
function reasonOf(error: JsonValue | undefined): string {
  const message = isJsonObject(error) ? error['message'] : undefined
  return typeof message === 'string' ? `: ${message}` : ''
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function flat(text: string): string {
  return harmless(text).replace(/\s*\n\s*/g, '; ')
}
