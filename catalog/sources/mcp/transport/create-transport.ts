import { isStdioServer } from '../server-config.ts'
import type { ServerWay } from '../server-way.ts'
import type { RequestWatch } from './answer-guard.ts'
import { HttpTransport } from './http/http-transport.ts'
import { StdioTransport } from './stdio/stdio-transport.ts'

export interface TransportWay extends ServerWay {
  readonly watch?: RequestWatch
}

/** The transport that a server's configuration asks for, not yet started; `kind` says which of the two over HTTP. */
export function createTransport(way: TransportWay, kind: 'http' | 'sse'): HttpTransport | StdioTransport {
  const { config, journal, timing, maxMessageBytes, watch } = way
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
      ...(watch && { watch }),
    })
  }
  return new HttpTransport(config, {
    kind,
    timing,
    maxMessageBytes,
    forbiddenAddresses: way.forbiddenAddresses,
    onStrayAnswer,
    onRefusedNotification: (method, how) =>
      journal.warnOnce('notification', `the server does not take ${method} (${how}); it is gone on without`),
    ...(watch && { watch }),
    ...(way.authorize && { authorize: way.authorize }),
  })
}
