import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { ConfigPath } from '../document/config-path.ts'
import { SECRET_COMMAND_MS, SECRET_FILE_BYTES } from '../limits.ts'

/** A secret that stands elsewhere. */
export type SecretSource =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'command'; readonly command: readonly string[] }

export type FetchedSecret =
  | { readonly kind: 'secret'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string }

/** `path` is where in the configuration the secret is wanted. */
export type FetchSecret = (source: SecretSource, directory: string, path: ConfigPath) => Promise<FetchedSecret>

/** `{ file }` or `{ command }`, as the schema lets them stand in place of a secret. */
export function secretSourceOf(value: JsonValue): SecretSource | undefined {
  if (!isJsonObject(value)) return undefined
  const { file, command } = value
  if (typeof file === 'string') return { kind: 'file', file }
  const words = Array.isArray(command) ? command.filter((word) => typeof word === 'string') : []
  return words.length > 0 ? { kind: 'command', command: words } : undefined
}

/** Reads the file or runs the command, without a shell; the line ends after the secret are dropped. */
export async function fetchSecret(source: SecretSource, directory: string): Promise<FetchedSecret> {
  const fetched =
    source.kind === 'file'
      ? await readSecret(path.resolve(directory, source.file))
      : await runCommand(source.command, directory)
  if (fetched.kind === 'failed') return fetched
  const text = fetched.text.replace(/(\r?\n)+$/, '')
  if (text !== '') return { kind: 'secret', text }
  const what =
    source.kind === 'file' ? `file "${source.file}" is empty` : `command "${source.command[0]}" printed nothing`
  return { kind: 'failed', message: `secret ${what}` }
}

async function readSecret(file: string): Promise<FetchedSecret> {
  try {
    const { size } = await stat(file)
    if (size > SECRET_FILE_BYTES) {
      return { kind: 'failed', message: `secret file "${file}" has ${size} bytes, more than ${SECRET_FILE_BYTES}` }
    }
    return { kind: 'secret', text: await readFile(file, 'utf8') }
  } catch (error) {
    return { kind: 'failed', message: `secret file "${file}" cannot be read (${codeOf(error)})` }
  }
}

async function runCommand([program = '', ...args]: readonly string[], cwd: string): Promise<FetchedSecret> {
  try {
    const bounds = { timeout: SECRET_COMMAND_MS, maxBuffer: SECRET_FILE_BYTES }
    // One that does not heed a SIGTERM would be waited for without end.
    const options = { cwd, ...bounds, killSignal: 'SIGKILL', windowsHide: true } as const
    return { kind: 'secret', text: (await promisify(execFile)(program, args, options)).stdout }
  } catch (error) {
    // Neither the arguments nor what it printed: either may hold the secret.
    return {
      kind: 'failed',
      message: `secret command "${program}" failed (${codeOf(error)}) within ${SECRET_COMMAND_MS} ms`,
    }
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const [code, isKilled]: readonly unknown[] = [Reflect.get(error, 'code'), Reflect.get(error, 'killed')]
  if (isKilled === true) return 'stopped'
  if (typeof code === 'number') return `exit code ${code}`
  return typeof code === 'string' ? code : error.name
}
