// Plain JavaScript: runs on the machine's own Node (>= 18).
import { spawn } from 'node:child_process'
import { nodePath } from './node-path.mjs'

/** Runs the pinned Node with these arguments in this terminal, passes signals on and ends as it ends. */
export function runNode(args) {
  const child = spawn(nodePath(), args, { stdio: 'inherit' })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`drawbridge: cannot start Node: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1
      return
    }
    for (const name of signals) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}
