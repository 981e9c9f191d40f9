// Plain JavaScript: runs on the machine's own Node (>= 18).
import { spawn } from 'node:child_process'
import { nodePath } from './node-path.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** How soon after npm a command of it ends; a look costs nothing that can be measured. */
const ORPHAN_LOOK_MS = 250

/** Runs the pinned Node with these arguments in this terminal, passes signals on and ends as it ends. */
export function runNode(args, env = {}) {
  const child = spawn(nodePath(), args, { stdio: 'inherit', env: { ...env, ...process.env } })
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal))
  stopWithNpm(child)
  child.on('error', (error) => {
    process.stderr.write(`drawbridge: cannot start Node: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1
      return
    }
    for (const name of SIGNALS) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}

/**
 * A signal to npm ends npm and the shell between, which passes nothing on: a gateway would live on after `npm start`, with
 * its port. Only where npm itself ran this command: what a script of someone's starts on purpose to stay, stays.
 */
function stopWithNpm(child) {
  if (!/\b(launch\.mjs|drawbridge)\b/.test(process.env.npm_lifecycle_script ?? '')) return
  const shell = process.ppid
  const look = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(look)
    child.kill('SIGTERM')
  }, ORPHAN_LOOK_MS)
  look.unref()
}
