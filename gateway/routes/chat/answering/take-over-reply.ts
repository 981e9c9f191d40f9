import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'

/** Takes a reply over from Fastify and sends its head at once, with the headers that it has been given before. */
export function takeOverReply(reply: FastifyReply, headers: OutgoingHttpHeaders): void {
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
  reply.hijack()
  raw.writeHead(200, headers)
  raw.flushHeaders()
}
