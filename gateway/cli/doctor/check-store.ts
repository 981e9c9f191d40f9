import { isJsonObject } from '../../../catalog/json.ts'
import { storeFile } from '../../store/open-store.ts'
import { inspectSqliteFile } from '../../store/sqlite/inspect-sqlite-file.ts'
import { textOf } from '../commands/failed-answer.ts'
import type { DoctorFinding } from './doctor-finding.ts'
import { fine } from './doctor-finding.ts'
import type { Examined } from './examined.ts'

/** Whether the store can be read and written; of a stopped gateway, whether its file is whole. */
export async function checkStore({ gateway, loaded, stateDirectory }: Examined): Promise<readonly DoctorFinding[]> {
  if (gateway.kind === 'mute') return []
  if (gateway.kind === 'running') {
    const { store } = gateway.ready
    if (isJsonObject(store) && store['ok'] === true) return [fine('store', 'the gateway reads and writes it')]
    const message = (isJsonObject(store) ? textOf(store, 'message') : undefined) ?? 'the gateway cannot use it'
    return [broken(message)]
  }
  if (loaded.kind === 'invalid') return []
  const file = storeFile(loaded.config.store.url, stateDirectory)
  const inspected = await inspectSqliteFile(file)
  switch (inspected.kind) {
    case 'absent':
      return [fine('store', `${file} is not there yet; the first start makes it`)]
    case 'whole':
      return [fine('store', `${file} is whole${inspected.isOld ? '; the next start brings it up to date' : ''}`)]
    case 'unusable':
      return [broken(inspected.message)]
  }
}

function broken(message: string): DoctorFinding {
  const fix = 'free the disk, mend its permissions, or restore a copy of the file while no gateway runs'
  return { check: 'store', level: 'problem', message, fix }
}
