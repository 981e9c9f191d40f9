// The least that runs each program in an isolate of its own: made ahead, used once, disposed of. It bounds, checks, records
// and explains nothing. What it takes is what isolates take.
import fs from 'node:fs'

const SPARES_COUNT = 4
const CPU_MS = 2000
const MEMORY_MB = 64
const HEADER_BYTES = 4

/** The tools of the bench, and how a program is started and given its answers. */
const SOURCE = `(send) => {
  const waiting = new Map()
  let lastId = 0
  const ask = (kind, args) => new Promise((resolve) => {
    waiting.set(++lastId, resolve)
    send(JSON.stringify({ id: lastId, kind, args }))
  })
  const tools = {
    search: (query) => ask('search', { query }),
    describe: (id) => ask('describe', { id }),
    call: (id, args) => ask('call', args),
  }
  const AsyncFunction = (async () => {}).constructor
  return {
    start: (code) => void new AsyncFunction('tools', code)(tools).then((value) => send(JSON.stringify({ id: 0, value }))),
    deliver: (id, json) => waiting.get(id)(JSON.parse(json)),
  }
}`

const addon = { exports: {} }
process.dlopen(addon, process.argv[2])
const { ivm } = addon.exports
/** @type {{ isolate: any, start: any, deliver: any }[]} */
const spares = []
/** @type {{ isolate: any, start: any, deliver: any } | undefined} */
let run
/** @type {string[]} */
let outgoing = []
let input = Buffer.alloc(0)

prepare()
write('ready')
for (;;) {
  const frame = JSON.parse(read())
  if (frame.code !== undefined) {
    run = spares.shift() ?? make()
    section(run.start, [frame.code])
  } else if (frame.json !== undefined) {
    section(run?.deliver, [frame.id, frame.json])
  } else {
    run?.isolate.dispose()
    prepare()
    write('ready')
  }
}

function make() {
  const isolate = new ivm.Isolate({ memoryLimit: MEMORY_MB })
  const context = isolate.createContextSync()
  const install = isolate.compileScriptSync(SOURCE).runSync(context, { reference: true })
  const callbacks = [new ivm.Callback((json) => void outgoing.push(json))]
  const entry = install.applySync(undefined, callbacks, { result: { reference: true } })
  return {
    isolate,
    start: entry.getSync('start', { reference: true }),
    deliver: entry.getSync('deliver', { reference: true }),
  }
}

function prepare() {
  while (spares.length < SPARES_COUNT) spares.push(make())
}

function section(reference, args) {
  reference.applySync(undefined, args, { timeout: CPU_MS })
  write(`[${outgoing.join(',')}]`)
  outgoing = []
}

function read() {
  while (input.length < HEADER_BYTES || input.length < HEADER_BYTES + input.readUInt32LE(0)) {
    const chunk = Buffer.allocUnsafe(64 * 1024)
    const count = fs.readSync(0, chunk)
    if (count === 0) process.kill(process.pid, 'SIGKILL')
    input = Buffer.concat([input, chunk.subarray(0, count)])
  }
  const end = HEADER_BYTES + input.readUInt32LE(0)
  const text = input.toString('utf8', HEADER_BYTES, end)
  input = input.subarray(end)
  return text
}

function write(text) {
  const frame = Buffer.alloc(HEADER_BYTES + Buffer.byteLength(text))
  frame.writeUInt32LE(frame.length - HEADER_BYTES)
  frame.write(text, HEADER_BYTES)
  for (let offset = 0; offset < frame.length;) offset += fs.writeSync(1, frame, offset)
}
