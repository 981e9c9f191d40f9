import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { GROUP_POLL_MS } from '../../limits.ts'

/**
 * Ends a child that leads its own process group, with all that it started (what `npx` starts is a grandchild): closes
 * its stdin, then SIGTERM, then SIGKILL to the whole group. Resolves when nothing of the group is left, or nothing more
 * can be done.
 */
export async function endProcessGroup(
  child: ChildProcess,
  grace: { readonly exitMs: number; readonly terminateMs: number },
): Promise<void> {
  const { pid } = child
  if (pid === undefined) return
  child.stdin?.end()
  if (await isGone(pid, grace.exitMs)) return
  signalGroup(pid, 'SIGTERM')
  if (await isGone(pid, grace.terminateMs)) return
  signalGroup(pid, 'SIGKILL')
  await isGone(pid, grace.terminateMs)
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    // No groups there: taskkill walks the tree instead.
    spawn('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {
      process.kill(pid, signal)
    })
    return
  }
  try {
    process.kill(-pid, signal)
  } catch {
    // The group ended between the look and the signal.
  }
}

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const endMs = performance.now() + withinMs
  while (hasMembers(pid)) {
    if (performance.now() >= endMs) return false
    await pause(GROUP_POLL_MS)
  }
  return true
}

function hasMembers(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 0)
    return true
  } catch {
    return false
  }
}
