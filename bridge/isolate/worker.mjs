// Hosts isolates for one run at a time. This is the whole of the process: one plain file, so that the permission model
// can refuse every other; the prelude comes over the wire.
//
// It reads with blocking calls and runs isolates on its main thread: a program and its bridge then cost microseconds a
// message, and there is no event loop to keep anything alive. What must happen while a program is busy (limits, ending
// it) is the gateway's part, from outside, by SIGKILL.
//
// `process` is the global: importing it touches `process.stdin`, which makes the descriptor non-blocking.
import fs from 'node:fs'

const IN = 0
const OUT = 1
const HEADER_BYTES = 4
/** Messages of one section are sent together, unless they grow beyond this. */
const FLUSH_CHARS = 64 * 1024
const ERROR_CHARS = 1024
const CPU_TICK_US = 10_000
/** The worker's own is 984 KiB. */
const PROGRAM_STACK_KIB = 900

// Of the machine's time zone a program learns nothing, and it runs again elsewhere as it ran here.
process.env.TZ = 'UTC'
const [, ownPath, addonPath, purpose, checkPort] = process.argv
const ivm = loadAddon(addonPath)
// Isolates of programs, made from now on, have a shorter stack than this one: a program at the end of its own leaves room
// for what it calls here, which would be cut off half-way.
process.getBuiltinModule('node:v8').setFlagsFromString(`--stack-size=${PROGRAM_STACK_KIB}`)

/** @type {{ memoryMb: number, source: string, name: string, spares: number, warmUp: any }} */
let settings
/** V8's code cache of the prelude, with what programs usually call already compiled. */
let codeCache
/** @type {{ isolate: any, start: any, deliver: any, memoryMb: number }[]} */
const spares = []
/** @type {{ id: number, isolate: any, start: any, deliver: any, isOver: boolean } | undefined} */
let run
/** The isolate of a run that is over. */
let ended
/** What has come from the gateway and is not read yet: so many bytes of it. */
let input = Buffer.allocUnsafe(64 * 1024)
let inputLength = 0
/** What an isolate has said and is not sent yet: JSON texts with commas between them. */
let outgoing = ''

if (purpose === 'check') await reportConfinement(Number(checkPort))
for (;;) {
  const frame = readFrame()
  switch (frame.t) {
    case 'configure':
      settings = frame
      codeCache = warmUp(frame)
      fillSpares()
      write({ t: 'ready', spares: spares.length })
      break
    case 'dispose':
      disposeEnded()
      break
    case 'prepare':
      disposeEnded()
      fillSpares()
      write({ t: 'ready', spares: spares.length })
      break
    case 'start':
      startRun(frame)
      break
    case 'answer':
      if (run?.id === frame.run) {
        // Two numbers as one: `deliver` in the prelude takes them apart.
        section(run.deliver, [frame.now, frame.id * 4 + frame.kind, frame.json], frame.timeoutMs)
      }
      break
    default:
      die()
  }
}

/**
 * By `dlopen`: `require` would look for files, which takes a permission more. From then on nothing can be loaded or read,
 * by us or by whoever gets out of an isolate.
 */
function loadAddon(path) {
  const module = { exports: {} }
  process.dlopen(module, path)
  process.permission?.drop?.('addon')
  process.permission?.drop?.('fs.read')
  return module.exports.ivm
}

/** Tries what a worker must not be able to do, and says what was refused. Only at the gateway's start. */
async function reportConfinement(port) {
  const refused = {
    read: isRefused(() => fs.readFileSync(ownPath)),
    write: isRefused(() => fs.writeFileSync(`${ownPath}.check`, '')),
    spawn: isRefused(() => process.getBuiltinModule('node:child_process').spawnSync(process.execPath, ['--version'])),
    addon: isRefused(() => process.dlopen({ exports: {} }, addonPath)),
    thread: isRefused(() => new (process.getBuiltinModule('node:worker_threads').Worker)('0', { eval: true })),
    inspector: isRefused(() => process.getBuiltinModule('node:inspector').open(0)),
    connect: await isSocketRefused(() => process.getBuiltinModule('node:net').connect(port, '127.0.0.1'), 'connect'),
    listen: await isSocketRefused(() => process.getBuiltinModule('node:net').createServer().listen(0), 'listening'),
  }
  write(refused)
  die()
}

function isRefused(attempt) {
  try {
    attempt()
    return false
  } catch (error) {
    return error.code === 'ERR_ACCESS_DENIED'
  }
}

function isSocketRefused(attempt, success) {
  return new Promise((resolve) => {
    try {
      const socket = attempt()
      socket.on('error', (error) => resolve(error.code === 'ERR_ACCESS_DENIED'))
      socket.on(success, () => resolve(false))
    } catch (error) {
      resolve(error.code === 'ERR_ACCESS_DENIED')
    }
  })
}

function readFrame() {
  while (inputLength < HEADER_BYTES) fill()
  const bytes = input.readUInt32LE(0)
  const end = HEADER_BYTES + bytes
  if (end > input.length) {
    const larger = Buffer.allocUnsafe(end)
    input.copy(larger, 0, 0, inputLength)
    input = larger
  }
  while (inputLength < end) fill()
  const text = input.utf8Slice(HEADER_BYTES, end)
  input.copyWithin(0, end, inputLength)
  inputLength -= end
  return JSON.parse(text)
}

function fill() {
  let count = 0
  try {
    count = fs.readSync(IN, input, inputLength, input.length - inputLength, null)
  } catch (error) {
    // Windows reports the end of a pipe as an error.
    if (error.code !== 'EOF') throw error
  }
  // The gateway has gone.
  if (count === 0) die()
  inputLength += count
}

/** Compiling the same text again in an isolate where it has run finds it compiled, and the cache holds all of that. */
function warmUp({ warmUp: { code, settings: json, answers }, memoryMb, source, name }) {
  const { isolate, start, deliver } = makeIsolate(memoryMb)
  start.applySync(undefined, [code, json])
  for (const [what, text] of answers) deliver.applySync(undefined, [0, what, text])
  const { cachedData } = isolate.compileScriptSync(source, { filename: name, produceCachedData: true })
  isolate.dispose()
  return cachedData
}

function makeIsolate(memoryMb) {
  const isolate = new ivm.Isolate({ memoryLimit: memoryMb })
  const context = isolate.createContextSync()
  const script = isolate.compileScriptSync(settings.source, scriptOptions())
  const install = script.runSync(context, { reference: true })
  // These two are all of this process that an isolate can call. Only text crosses: arguments are copied, and copying an
  // object would run a program's getters.
  const entry = install.applySync(undefined, [new ivm.Callback(receive), new ivm.Callback(help)], {
    result: { reference: true },
  })
  const start = entry.getSync('start', { reference: true })
  const deliver = entry.getSync('deliver', { reference: true })
  return { isolate, start, deliver, memoryMb }
}

function scriptOptions() {
  const { name } = settings
  return codeCache === undefined ? { filename: name } : { filename: name, cachedData: codeCache }
}

function fillSpares() {
  while (spares.length < settings.spares) spares.push(makeIsolate(settings.memoryMb))
}

/** When the gateway says so, and not at once: its answer to a waiting caller comes first. */
function disposeEnded() {
  ended?.dispose()
  ended = undefined
}

function startRun(frame) {
  const index = spares.findIndex((spare) => spare.memoryMb === frame.memoryMb)
  const warm = index === -1 ? makeIsolate(frame.memoryMb) : spares.splice(index, 1)[0]
  run = { id: frame.run, isOver: false, ...warm }
  section(run.start, [frame.code, frame.settings], frame.timeoutMs)
}

/** Runs the isolate until it is idle: the call and every job that follows from it. */
function section(reference, args, timeoutMs) {
  const cpuBefore = process.threadCpuUsage()
  const startedMs = performance.now()
  let failure
  try {
    reference.applySync(undefined, args, { timeout: Math.max(1, timeoutMs) })
  } catch (error) {
    failure = { error, elapsedMs: performance.now() - startedMs }
  }
  const elapsedUs = Math.round((performance.now() - startedMs) * 1000)
  const cpu = process.threadCpuUsage(cpuBefore)
  // The kernel counts CPU time in ticks of up to 10 ms: below that the clock is closer to the truth.
  const cpuUs = elapsedUs < CPU_TICK_US ? elapsedUs : cpu.user + cpu.system
  const { isolate } = run
  // The prelude catches whatever the program throws: what comes out of an isolate is its end, or a rejection that
  // nothing handles. The texts of errors are the program's to choose, so only facts tell these apart.
  let cause
  if (failure !== undefined) {
    if (isolate.isDisposed) cause = 'memory'
    else if (failure.elapsedMs >= timeoutMs) cause = 'timeout'
    else queueMessage(unhandled(failure.error))
  }
  // Behind the rejections that nothing handles, which the isolate tells last.
  if (run.ending !== undefined) queueMessage(run.ending)
  const heap = isolate.isDisposed ? 0 : heapBytes(isolate)
  flush({ cpuUs, heap, cause })
  if (run.isOver && cause === undefined) {
    disposeEnded()
    ended = run.isolate
    run = undefined
  }
}

function heapBytes(isolate) {
  const heap = isolate.getHeapStatisticsSync()
  return heap.used_heap_size + heap.externally_allocated_size
}

function unhandled(error) {
  const text = typeof error?.message === 'string' ? error.message.slice(0, ERROR_CHARS).toWellFormed() : ''
  return JSON.stringify({ k: 'unhandled', text })
}

/** A message from the prelude: JSON text that the gateway parses and checks. */
function receive(json) {
  if (run === undefined || run.isOver || typeof json !== 'string') return
  if (json.startsWith('{"k":"end"') || json.startsWith('{"k":"limit"')) {
    run.isOver = true
    run.ending = json
    return
  }
  queueMessage(json)
  // A line of the log leaves at once: the next statement may be one that only SIGKILL ends.
  if (json.startsWith('{"k":"log"') || outgoing.length > FLUSH_CHARS) flush(undefined)
}

function queueMessage(json) {
  outgoing = outgoing === '' ? json : `${outgoing},${json}`
}

function flush(end) {
  const messages = outgoing
  outgoing = ''
  if (end === undefined) {
    writeText(`{"t":"part","run":${run.id},"messages":[${messages}]}`)
    return
  }
  const cause = end.cause === undefined ? '' : `,"cause":"${end.cause}"`
  writeText(
    `{"t":"step","run":${run.id},"messages":[${messages}],"cpuUs":${end.cpuUs},"heapBytes":${end.heap}${cause}}`,
  )
}

/** What the language lacks and Node has, for `URL`: text in, text out, '' for what is no URL. */
function help(kind, a, b) {
  try {
    switch (kind) {
      case 'url':
        return urlParts(b === '' ? new URL(a) : new URL(a, b))
      case 'url-set': {
        const [href, name] = JSON.parse(a)
        const url = new URL(href)
        url[name] = b
        return urlParts(url)
      }
      case 'query':
        return JSON.stringify([...new URLSearchParams(a)])
      case 'query-text':
        return new URLSearchParams(JSON.parse(a)).toString()
      default:
        return ''
    }
  } catch {
    return ''
  }
}

function urlParts(url) {
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url
  return JSON.stringify({ href, origin, protocol, username, password, host, hostname, port, pathname, search, hash })
}

function write(message) {
  writeText(JSON.stringify(message))
}

function writeText(text) {
  const bytes = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(HEADER_BYTES + bytes)
  frame.writeUInt32LE(bytes, 0)
  frame.utf8Write(text, HEADER_BYTES)
  for (let offset = 0; offset < frame.length;) offset += fs.writeSync(OUT, frame, offset)
}

/** `process.exit` with an isolate at hand can hang or crash. */
function die() {
  process.kill(process.pid, 'SIGKILL')
}
