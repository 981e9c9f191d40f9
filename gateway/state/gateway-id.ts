import { hash } from 'node:crypto'
import { hostname } from 'node:os'

/** Names a gateway in a store that several share. One gateway holds a state directory: the next one there has the same name. */
export function gatewayId(stateDirectory: string): string {
  return hash('sha256', `${hostname()}\0${stateDirectory}`).slice(0, 32)
}
