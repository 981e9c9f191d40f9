// What the suite starts for each scenario: client-under-test.mjs HOST URL. Plain JavaScript, and nothing but the way to the
// client, which runs in the process of client-host.ts: there are sixty of these, and a client takes a second to load.
import { once } from 'node:events'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'

const [, , host, url] = process.argv
const asking = request(host, { method: 'POST' })
asking.end(JSON.stringify({ url, context: process.env.MCP_CONFORMANCE_CONTEXT ?? '{}' }))
const [answer] = await once(asking, 'response')
const { isDone, written } = await json(answer)
process.stderr.write(written)
process.exitCode = isDone ? 0 : 1
