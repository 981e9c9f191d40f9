import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ArtifactPart, ArtifactStore } from '../../bridge/artifacts.ts'
import { PREVIEW_LENGTH } from './limits.ts'

const ID_FORM = /^art_[0-9a-f-]{36}$/

/** Keeps artifacts as files under `folder`, a folder for each tenant. */
export function createDiskArtifacts(folder: string): ArtifactStore {
  // Tenant names come from configuration and may hold anything; a hash is always a safe folder name.
  const folderOf = (tenant: string): string =>
    path.join(folder, createHash('sha256').update(tenant).digest('hex').slice(0, 32))
  return {
    async put(caller, { text, mimeType }) {
      const id = `art_${randomUUID()}`
      const home = folderOf(caller.tenant)
      await mkdir(home, { recursive: true, mode: 0o700 })
      const file = path.join(home, id)
      // Whole or not at all: a reader never meets half an artifact.
      await writeFile(`${file}.part`, text, { mode: 0o600 })
      await rename(`${file}.part`, file)
      return { id, bytes: Buffer.byteLength(text), mimeType, preview: previewOf(text) }
    },
    async read({ tenant }, id, { offset, maxBytes }) {
      if (!ID_FORM.test(id)) return undefined
      return readPart(path.join(folderOf(tenant), id), offset, maxBytes)
    },
  }
}

async function readPart(file: string, offset: number, maxBytes: number): Promise<ArtifactPart | undefined> {
  const handle = await open(file).catch(() => undefined)
  if (handle === undefined) return undefined
  try {
    const { size } = await handle.stat()
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, offset)
    const read = buffer.subarray(0, bytesRead)
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
