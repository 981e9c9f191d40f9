import type { StoreErrorCode } from '../errors.ts'
import { StoreError } from '../errors.ts'

/** Primary result codes of SQLite (the low byte), with what they mean here and the way out. */
const MEANINGS: ReadonlyMap<number, readonly [StoreErrorCode, string]> = new Map([
  [3, ['store-unreachable', 'may not be opened; check its permissions']],
  [5, ['store-locked', 'is locked by another program; close what has it open']],
  [6, ['store-locked', 'is locked by another program; close what has it open']],
  [8, ['store-read-only', 'cannot be written; check the permissions of the file and its folder']],
  [10, ['store-unreachable', 'cannot be read or written; check the disk']],
  [11, ['store-corrupt', 'is damaged; restore a copy, or move it away to start anew']],
  [13, ['store-full', 'cannot grow: the disk is full']],
  [14, ['store-unreachable', 'cannot be opened; check that its folder exists and may be written']],
  [26, ['store-corrupt', 'is not a SQLite database; restore a copy, or move it away to start anew']],
])

/** Of the file system, before SQLite sees the file. */
const SYSTEM_MEANINGS: ReadonlyMap<string, readonly [StoreErrorCode, string]> = new Map([
  ['EACCES', ['store-read-only', 'cannot be written; check the permissions of the file and its folder']],
  ['EPERM', ['store-read-only', 'cannot be written; check the permissions of the file and its folder']],
  ['EROFS', ['store-read-only', 'cannot be written: its file system is read-only']],
  ['ENOSPC', ['store-full', 'cannot grow: the disk is full']],
  ['ENOENT', ['store-unreachable', 'cannot be made: its folder does not exist']],
  ['ENOTDIR', ['store-unreachable', 'cannot be made: its folder is a file']],
  ['EISDIR', ['store-unreachable', 'is a folder; name a file in it']],
])

/** The error with a code and the way out; one that is coded already stays as it is. */
export function toStoreError(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error
  const code: unknown = error instanceof Error ? Reflect.get(error, 'errcode') : undefined
  const meaning = typeof code === 'number' ? MEANINGS.get(code & 0xff) : undefined
  if (meaning) return new StoreError(meaning[0], `store "${file}" ${meaning[1]}`, { cause: error })
  const systemCode: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  if (systemCode === 'ERR_INVALID_STATE')
    return new StoreError('store-closed', `store "${file}" is closed`, { cause: error })
  const systemMeaning = typeof systemCode === 'string' ? SYSTEM_MEANINGS.get(systemCode) : undefined
  if (systemMeaning) return new StoreError(systemMeaning[0], `store "${file}" ${systemMeaning[1]}`, { cause: error })
  const reason = error instanceof Error ? error.message : String(error)
  return new StoreError('store-failed', `store "${file}" failed: ${reason}`, { cause: error })
}
