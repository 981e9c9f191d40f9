import type { JsonValue } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import { textOf } from '../commands/failed-answer.ts'
import type { DoctorFinding } from './doctor-finding.ts'
import { fine } from './doctor-finding.ts'
import type { Examined } from './examined.ts'

/** Whether workers start, confine themselves and run a program. */
export async function checkSandbox({ gateway, loaded }: Examined): Promise<readonly DoctorFinding[]> {
  if (gateway.kind === 'mute') return []
  if (gateway.kind === 'running') {
    const { sandbox, mode } = gateway.ready
    const reason = isJsonObject(mode) ? textOf(mode, 'reason') : undefined
    return [isJsonObject(sandbox) ? started(sandbox['layers']) : failed(reason ?? 'no worker can run programs')]
  }
  const { trySandbox } = await import('./try-sandbox.ts')
  const sandbox = loaded.kind === 'read' ? loaded.config.sandbox : { jit: false, memoryMb: 64 }
  const tried = await trySandbox(sandbox)
  return [tried.kind === 'started' ? started(tried.layers) : failed(tried.reason)]
}

function started(layers: JsonValue | undefined): DoctorFinding {
  const entries = isJsonObject(layers) ? Object.entries(layers) : []
  const named = (isActive: boolean): string =>
    entries.flatMap(([name, active]) => (active === isActive ? [name] : [])).join(', ') || 'none'
  return fine('sandbox', `a worker runs programs; layers active: ${named(true)}; not possible here: ${named(false)}`)
}

function failed(reason: string): DoctorFinding {
  const fix = 'install again with "npm ci" on this machine, or set tools.toolSearch to { mode: "tools" }'
  return { check: 'sandbox', level: 'problem', message: reason, fix }
}
