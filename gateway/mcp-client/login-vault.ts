import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { LoginVault, ServerLogin } from '../../catalog/sources/mcp/login/server-login.ts'
import type { Seal } from '../state/seal.ts'
import { PRIVATE_MODE, writeWhole } from '../state/write-whole.ts'

/** Logins at MCP servers, a sealed file each. The gateway renews them; a command logs in and out beside it. */
export function createLoginVault(stateDirectory: string, seal: Seal): LoginVault {
  const folder = path.join(stateDirectory, 'mcp-logins')
  return {
    async read(server) {
      const sealed = await readIfThere(fileOf(folder, server))
      if (sealed === undefined) return undefined
      const opened = seal.open(Buffer.from(sealed, 'base64'), purposeOf(server))
      const login: ServerLogin = JSON.parse(Buffer.from(opened).toString('utf8'))
      return login
    },
    async write(server, login) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const sealed = seal.seal(Buffer.from(JSON.stringify(login)), purposeOf(server))
      await writeWhole(fileOf(folder, server), Buffer.from(sealed).toString('base64'), { mode: PRIVATE_MODE })
    },
    async remove(server) {
      const file = fileOf(folder, server)
      if ((await readIfThere(file)) === undefined) return false
      await rm(file, { force: true })
      return true
    },
  }
}

/** A login opens under its own name alone: files cannot be swapped. */
function purposeOf(server: string): string {
  return `mcp-login:${server}`
}

/** Names differ by case alone, and not every file system tells that apart. */
function fileOf(folder: string, server: string): string {
  return path.join(folder, createHash('sha256').update(server).digest('hex').slice(0, 32))
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return undefined
    throw error
  }
}
