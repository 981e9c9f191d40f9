import os from 'node:os'
import path from 'node:path'

/** `--state-dir`, else `DRAWBRIDGE_STATE_DIR`, else `~/.drawbridge`. */
export function stateDirectoryPath(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return path.resolve(given || env['DRAWBRIDGE_STATE_DIR'] || path.join(os.homedir(), '.drawbridge'))
}
