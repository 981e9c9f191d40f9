import type { DoctorFinding } from './doctor-finding.ts'
import { fine } from './doctor-finding.ts'
import type { Examined } from './examined.ts'

/** Whether one runs, and answers with the token that the commands have. */
export async function checkGateway({ gateway, stateDirectory }: Examined): Promise<readonly DoctorFinding[]> {
  const check = 'gateway'
  switch (gateway.kind) {
    case 'stopped':
      return [fine(check, `none runs for ${stateDirectory}; its parts are tried here`)]
    case 'running':
      if (gateway.refused !== undefined)
        return [{ check, level: 'problem', ...refusal(gateway.refused, stateDirectory) }]
      return [fine(check, 'it runs, and was asked for its parts')]
    case 'mute': {
      const { message, fix } = gateway
      return [{ check, level: 'problem', message, ...(fix !== undefined && { fix }) }]
    }
  }
}

function refusal({ file }: { readonly file?: string }, stateDirectory: string): Pick<DoctorFinding, 'message' | 'fix'> {
  if (file === undefined) {
    const message = 'the configuration file that it serves by is gone, and it goes on with what that held'
    return { message, fix: `put the file back; ${stateDirectory}/config-backups has copies of what commands edited` }
  }
  return {
    message: `it runs, but refused ${file} as it is now and goes on with what it had`,
    fix: `correct what its log (${stateDirectory}/logs/gateway.log) says of it, e.g. a variable that is not set where the gateway was started`,
  }
}
