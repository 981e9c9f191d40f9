import { isStdioServer } from '../server-config.ts'
import type { ServerWay } from '../server-way.ts'
import { HttpTransport } from './http/http-transport.ts'
import { StdioTransport } from './stdio/stdio-transport.ts'

/** The transport that a server's configuration asks for, not yet started; `kind` says which of the two over HTTP. */
export function createTransport(way: ServerWay, kind: 'http' | 'sse'): HttpTransport | StdioTransport {
  const { config, journal, timing, maxMessageBytes } = way
  const onStrayAnswer = (): void => journal.warnOnce('stray', 'the server answers requests that are not waiting')
  if (isStdioServer(config)) {
    return new StdioTransport(config, {
      reaper: way.reaper,
      timing,
      maxMessageBytes,
      onStderr: (line) => journal.stderr(line),
      onNoise: (line) =>
        journal.warnOnce('noise', `stdout carries lines that are no messages and are skipped: ${line}`),
      onStrayAnswer,
    })
  }
  return new HttpTransport(config, {
    kind,
    timing,
    maxMessageBytes,
    forbiddenAddresses: way.forbiddenAddresses,
    onStrayAnswer,
    ...(way.authorize && { authorize: way.authorize }),
  })
}
