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
      return [fine(check, 'it runs, and was asked for its parts')]
    case 'mute':
      return [
        {
          check,
          level: 'problem',
          message: gateway.message,
          fix: 'look into logs/gateway.log of the state directory, and restart the gateway',
        },
      ]
  }
}
