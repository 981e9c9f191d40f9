import type { RequestListener, ServerResponse } from 'node:http'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { serveHttp } from '../../fixtures/http-servers.ts'
import { createAddressGuard } from './address-guard.ts'
import { askServer } from './ask-server.ts'
import { createGuardedConnections } from './guarded-connections.ts'

const SMALL_BYTES = 100

/** A server, and a way to ask it that wants JSON whole. */
async function anAsked(answer: RequestListener) {
  const server = await serveHttp(answer)
  return {
    ask: anAsk(server.url),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function anAsk(url: string, connections = someConnections()) {
  const { origin } = new URL(url)
  return async (signal?: AbortSignal, reading = read) => {
    try {
      const answer = await askServer(
        await connections.open(),
        { origin, path: '/', method: 'POST', body: '{}' },
        {
          signal,
          abortError: ({ reason }) => new Error(`stopped: ${reason}`),
          isGathered: ({ headers }) => headers['content-type'] === 'application/json',
          maxGatheredBytes: SMALL_BYTES,
          tooLarge: () => new Error('too large'),
        },
      )
      return 'text' in answer
        ? { ...answer, kind: 'gathered' }
        : { ...answer, kind: 'stream', text: await reading(answer.body) }
    } finally {
      connections.close()
    }
  }
}

function someConnections() {
  const configuredHost = '127.0.0.1'
  return createGuardedConnections(createAddressGuard({ configuredHost, allowPrivateAddresses: true, forbidden: [] }))
}

async function read(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function json(response: ServerResponse): ServerResponse {
  return response.writeHead(200, 'Fine', { 'content-type': 'application/json' })
}

test('an answer that comes in pieces, through a character and after a mark, is one text', async () => {
  await using asked = await anAsked(async (_request, response) => {
    json(response)
    for (const byte of Buffer.from('\uFEFF{"é":1}')) {
      response.write(Uint8Array.of(byte))
      await pause(1)
    }
    response.end()
  })
  expect(await asked.ask()).toMatchObject({ kind: 'gathered', statusCode: 200, statusText: 'Fine', text: '{"é":1}' })
})

test('an answer that only says that more is to come is none', async () => {
  await using asked = await anAsked((_request, response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' })
    response.writeProcessing()
    json(response).end('{}')
  })
  expect(await asked.ask()).toMatchObject({ kind: 'gathered', statusCode: 200, text: '{}' })
})

test('more than is gathered is refused as it comes, and what is not gathered has no bound here', async () => {
  const text = 'x'.repeat(SMALL_BYTES + 1)
  await using endless = await anAsked((_request, response) => void json(response).write(text))
  await expect(endless.ask()).rejects.toThrow('too large')
  await using other = await anAsked((_request, response) => void response.end(text))
  expect(await other.ask()).toMatchObject({ kind: 'stream', text })
})

test('an answer that breaks off is no answer, gathered or not', async () => {
  const breakOff = (response: ServerResponse): void => {
    response.write('{"half":')
    setTimeout(() => response.destroy(), 5)
  }
  await using whole = await anAsked((_request, response) => breakOff(json(response)))
  await expect(whole.ask()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
  await using stream = await anAsked((_request, response) => breakOff(response.writeHead(200)))
  await expect(stream.ask()).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' })
})

test('a body that nobody reads holds the server up, and goes on when it is read', async () => {
  const [piece, pieces] = [Buffer.alloc(64 * 1024), 256]
  const seen = { sent: 0 }
  await using asked = await anAsked(async (_request, response) => {
    for (; seen.sent < pieces; seen.sent += 1) if (!response.write(piece)) await once(response, 'drain')
    response.end()
  })
  const { text } = await asked.ask(undefined, async (body) => {
    await pause(100)
    expect(seen.sent).toBeLessThan(pieces)
    return read(body)
  })
  expect(text).toHaveLength(piece.length * pieces)
})

test.each(['before its head', 'in mid-body'])('an abort ends it at once, %s', async (when) => {
  const stop = new AbortController()
  await using asked = await anAsked((_request, response) => {
    if (when === 'in mid-body') response.writeHead(200).write('begun')
    setTimeout(() => stop.abort('enough'), 5)
  })
  await expect(asked.ask(stop.signal)).rejects.toThrow('stopped: enough')
})

test('an abort ends it while the connection is made, with that connection, and nothing is sent', async () => {
  await using mute = await aMute()
  const connections = someConnections()
  for (const each of [1, 2, 3]) {
    const stop = new AbortController()
    const kept = { ...connections, close: () => {} }
    const asked = anAsk(mute.url, kept)(stop.signal)
    // Each with a connection of its own: one that hangs is not waited for by those that come after.
    await mute.connected(each)
    stop.abort('enough')
    await expect(asked).rejects.toThrow('stopped: enough')
  }
  await mute.allClosed()
  expect(mute.heard.join('')).not.toContain('POST')
  connections.close()
})

test('what is still being connected is dropped with all connections', async () => {
  await using mute = await aMute()
  const connections = someConnections()
  const asked = anAsk(mute.url, connections)()
  await mute.connected(1)
  connections.close()
  await expect(asked).rejects.toThrow('destroyed')
  await mute.allClosed()
})

/** It speaks no TLS: the handshake never ends. */
async function aMute() {
  const heard: string[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('data', (chunk: Buffer) => heard.push(chunk.toString('latin1'))).on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `https://127.0.0.1:${isInet(address) ? address.port : 0}`,
    heard,
    async connected(count: number) {
      while (sockets.length < count) await once(server, 'connection')
    },
    async allClosed() {
      for (const socket of sockets) if (!socket.closed) await once(socket, 'close')
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

function isInet(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}
