import { once } from 'node:events'
import { createServer } from 'node:net'
import type { DoctorFinding } from './doctor-finding.ts'
import { fine } from './doctor-finding.ts'
import type { Examined } from './examined.ts'

/** Whether a start could listen; a gateway that runs does. */
export async function checkPort({ gateway, loaded, deps }: Examined): Promise<readonly DoctorFinding[]> {
  if (gateway.kind !== 'stopped' || loaded.kind === 'invalid') return []
  const host = deps.env['DRAWBRIDGE_HOST'] || loaded.config.gateway.host
  const named = deps.env['DRAWBRIDGE_PORT']
  const port = named && /^\d{1,5}$/.test(named) ? Number(named) : loaded.config.gateway.port
  const code = await codeOfListening(host, port)
  if (code === undefined) return [fine('port', port === 0 ? `any free port on ${host}` : `${host}:${port} is free`)]
  const isTaken = code === 'EADDRINUSE'
  const message = isTaken
    ? `${host}:${port} is in use by another program`
    : `${host}:${port} cannot be listened on (${code})`
  const fix = isTaken
    ? 'stop what listens there, or choose another with "drawbridge config set gateway.port"'
    : 'set gateway.host to an address of this machine, and gateway.port to one that you may use'
  return [{ check: 'port', level: 'problem', message, fix }]
}

async function codeOfListening(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  try {
    server.listen({ host, port })
    await once(server, 'listening')
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  } finally {
    server.close()
  }
}
