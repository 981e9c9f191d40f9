import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { StateError } from './errors.ts'
import { SEAL_KEY_BYTES, SEAL_NONCE_BYTES, SEAL_TAG_BYTES } from './limits.ts'
import { PRIVATE_MODE, writeWhole } from './write-whole.ts'

/** Encrypts what must be kept whole but never shown. */
export interface Seal {
  /** `purpose` says what it belongs to (a run's id): it opens for no other, so that rows cannot be swapped. */
  seal(bytes: Uint8Array, purpose: string): Uint8Array
  /** @throws {StateError} `seal-broken` when it was changed, sealed with another key, or for another purpose */
  open(sealed: Uint8Array, purpose: string): Uint8Array
}

/**
 * The seal with the key of this file, which is made (0600) when there is none. Only for who holds the state directory.
 * @throws {StateError} `seal-key-unusable`
 */
export async function openSeal(keyFile: string): Promise<Seal> {
  const key = await readOrMakeKey(keyFile)
  return {
    seal: (bytes, purpose) => seal(key, bytes, purpose),
    open: (sealed, purpose) => unseal(key, sealed, purpose),
  }
}

/** First byte of everything sealed, for the day the form changes. */
const FORM = 1

const CIPHER = 'aes-256-gcm'

function seal(key: Uint8Array, bytes: Uint8Array, purpose: string): Uint8Array {
  const nonce = randomBytes(SEAL_NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: SEAL_TAG_BYTES })
  cipher.setAAD(Buffer.from(purpose))
  return Buffer.concat([Buffer.of(FORM), nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

function unseal(key: Uint8Array, sealed: Uint8Array, purpose: string): Uint8Array {
  const bodyStart = 1 + SEAL_NONCE_BYTES
  const bodyEnd = sealed.length - SEAL_TAG_BYTES
  if (sealed[0] !== FORM || bodyEnd < bodyStart) throw broken(purpose)
  try {
    const options = { authTagLength: SEAL_TAG_BYTES }
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(1, bodyStart), options)
    decipher.setAAD(Buffer.from(purpose))
    decipher.setAuthTag(sealed.subarray(bodyEnd))
    return Buffer.concat([decipher.update(sealed.subarray(bodyStart, bodyEnd)), decipher.final()])
  } catch (error) {
    throw broken(purpose, error)
  }
}

function broken(purpose: string, cause?: unknown): StateError {
  const message = `what was sealed for "${purpose}" cannot be opened: it was changed, or sealed with another key`
  return new StateError('seal-broken', message, { cause })
}

async function readOrMakeKey(file: string): Promise<Uint8Array> {
  try {
    const { mode } = await stat(file)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw unusable(file, `others may read it; run: chmod 600 "${file}"`)
    }
    const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'base64url')
    if (key.length === SEAL_KEY_BYTES) return key
    throw unusable(
      file,
      `it holds ${key.length} bytes instead of ${SEAL_KEY_BYTES}; restore it, or remove it and lose what was sealed`,
    )
  } catch (error) {
    if (error instanceof StateError) throw error
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return makeKey(file)
    throw unusable(file, error instanceof Error ? error.message : String(error), error)
  }
}

/** Nobody else makes one meanwhile: the state directory is held by one gateway. */
async function makeKey(file: string): Promise<Uint8Array> {
  const key = randomBytes(SEAL_KEY_BYTES)
  try {
    await writeWhole(file, `${key.toString('base64url')}\n`, { mode: PRIVATE_MODE })
    return key
  } catch (error) {
    throw unusable(file, error instanceof Error ? error.message : String(error), error)
  }
}

function unusable(file: string, reason: string, cause?: unknown): StateError {
  return new StateError('seal-key-unusable', `seal key "${file}" cannot be used: ${reason}`, { cause })
}
