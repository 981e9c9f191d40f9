import { connect } from 'node:net'

/** Everything that comes back of these bytes until the other side closes. */
export function sentRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: string[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (part: Buffer) => parts.push(part.toString()))
    socket.once('error', reject)
    socket.once('close', () => resolve(parts.join('')))
  })
}
