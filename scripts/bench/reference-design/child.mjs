// The reference design's child: one program in `node:vm`, which asks the parent by IPC. It is what we compare with, built
// as that design describes itself; nothing of Drawbridge runs on it.
import vm from 'node:vm'

const waiting = new Map()
let lastId = 0

process.on('message', (message) => {
  if (message.kind === 'start') void run(message.code)
  else waiting.get(message.id)?.(message.value)
})

async function run(code) {
  const context = vm.createContext({
    tools: {
      search: (query, options) => ask('search', [query, options]),
      describe: (id) => ask('describe', [id]),
      call: (id, args) => ask('call', [id, args]),
    },
    console: { log: (...args) => process.send({ kind: 'log', args }) },
  })
  try {
    const value = await vm.runInContext(`(async () => { ${code}\n })()`, context, { timeout: 10_000 })
    process.send({ kind: 'end', value: value ?? null })
  } catch (error) {
    process.send({ kind: 'end', error: String(error) })
  }
}

function ask(kind, args) {
  const id = ++lastId
  process.send({ kind: 'ask', id, operation: kind, args })
  return new Promise((resolve) => waiting.set(id, resolve))
}
