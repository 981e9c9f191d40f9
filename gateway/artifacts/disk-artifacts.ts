import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Caller } from '../../catalog/caller.ts'
import type { ArtifactPart, ArtifactStore } from '../../bridge/artifacts.ts'
import { PREVIEW_LENGTH } from './limits.ts'

const ID_FORM = /^art_[0-9a-f-]{36}$/

export interface DiskArtifacts extends ArtifactStore {
  /** The whole of it; undefined where this tenant has no such artifact. */
  open(caller: Caller, id: string): Promise<{ readonly mimeType: string; readonly bytes: Uint8Array } | undefined>
  /** Removes those of all tenants that were made before; how many files these were. */
  expire(beforeMs: number): Promise<number>
}

/** Keeps artifacts as files under `folder`, a folder for each tenant. */
export function createDiskArtifacts(folder: string): DiskArtifacts {
  // Tenant names come from configuration and may hold anything; a hash is always a safe folder name.
  const folderOf = (tenant: string): string =>
    path.join(folder, createHash('sha256').update(tenant).digest('hex').slice(0, 32))
  return {
    async put(caller, artifact) {
      const { mimeType } = artifact
      const id = `art_${randomUUID()}`
      const home = folderOf(caller.tenant)
      await mkdir(home, { recursive: true, mode: 0o700 })
      const file = path.join(home, id)
      // Before the artifact itself: one without it would be taken for text.
      if ('bytes' in artifact) await writeFile(`${file}${TYPE_ENDING}`, mimeType, { mode: 0o600 })
      // Whole or not at all: a reader never meets half an artifact.
      const content = 'bytes' in artifact ? artifact.bytes : artifact.text
      await writeFile(`${file}.part`, content, { mode: 0o600 })
      await rename(`${file}.part`, file)
      const preview = 'text' in artifact ? previewOf(artifact.text) : ''
      return { id, bytes: Buffer.byteLength(content), mimeType, preview }
    },
    async read({ tenant }, id, range) {
      if (!ID_FORM.test(id)) return undefined
      const file = path.join(folderOf(tenant), id)
      return readPart(file, range, await readType(file))
    },
    async open({ tenant }, id) {
      if (!ID_FORM.test(id)) return undefined
      const file = path.join(folderOf(tenant), id)
      const bytes = await readFile(file).catch(() => undefined)
      if (bytes === undefined) return undefined
      return { bytes, mimeType: (await readType(file)) ?? 'text/plain; charset=utf-8' }
    },
    expire: (beforeMs) => expire(folder, beforeMs),
  }
}

/** Half-written ones of a gateway that was killed are among them. */
async function expire(folder: string, beforeMs: number): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let count = 0
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.startsWith('art_')) continue
    const file = path.join(entry.parentPath, entry.name)
    // Removed meanwhile, by hand: as it should be.
    const info = await stat(file).catch(() => undefined)
    if (info === undefined || info.mtimeMs >= beforeMs) continue
    await rm(file, { force: true })
    count += 1
  }
  return count
}

/** Of what is no text; beside it. */
const TYPE_ENDING = '.type'

async function readType(file: string): Promise<string | undefined> {
  try {
    return await readFile(`${file}${TYPE_ENDING}`, 'utf8')
  } catch {
    // Text has none.
    return undefined
  }
}

async function readPart(
  file: string,
  { offset, maxBytes }: { readonly offset: number; readonly maxBytes: number },
  mimeType: string | undefined,
): Promise<ArtifactPart | undefined> {
  const handle = await open(file).catch(() => undefined)
  if (handle === undefined) return undefined
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, offset)
    const read = buffer.subarray(0, bytesRead)
    if (mimeType !== undefined) {
      const end = offset + bytesRead
      return { base64: read.toString('base64'), mimeType, offset, bytes: size, ...(end < size && { nextOffset: end }) }
    }
    const whole = offset + bytesRead < size ? wholeCharacters(read) : read
    const next = offset + whole.length
    return { text: whole.toString('utf8'), offset, bytes: size, ...(next < size && { nextOffset: next }) }
  } finally {
    await handle.close()
  }
}

/** Cuts a character that the bound split off the end. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes
    if (byte >= 0xc0) {
      const wants = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return wants === back ? bytes : bytes.subarray(0, bytes.length - back)
    }
  }
  return bytes
}

function previewOf(text: string): string {
  return text
    .slice(0, PREVIEW_LENGTH)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
}
