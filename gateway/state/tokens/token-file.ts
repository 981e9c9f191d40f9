import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isJsonObject } from '../../../catalog/json.ts'
import { PRIVATE_MODE, writeWhole } from '../write-whole.ts'

/** Plain tokens by name, for the commands of who owns the state directory. */
export type PlainTokens = Readonly<Record<string, string>>

export function tokenFile(stateDirectory: string): string {
  return path.join(stateDirectory, 'tokens')
}

/**
 * Empty when there is none, or it is damaged: a token can still come from the environment, and who needs one says so.
 * @throws the system's error for a file of somebody else: whoever added to it would write it anew
 */
export async function readTokenFile(stateDirectory: string): Promise<PlainTokens> {
  try {
    const value: unknown = JSON.parse(await readFile(tokenFile(stateDirectory), 'utf8'))
    const entries = isJsonObject(value) ? Object.entries(value) : []
    return Object.fromEntries(entries.flatMap(([name, token]) => (typeof token === 'string' ? [[name, token]] : [])))
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
    if (code === 'EACCES' || code === 'EPERM') throw error
    return {}
  }
}

export async function writeTokenFile(stateDirectory: string, tokens: PlainTokens): Promise<void> {
  await writeWhole(tokenFile(stateDirectory), `${JSON.stringify(tokens, null, 2)}\n`, { mode: PRIVATE_MODE })
}
