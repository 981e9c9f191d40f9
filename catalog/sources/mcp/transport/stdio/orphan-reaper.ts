import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'

/** Ends process groups when the gateway itself is gone, however it went. */
export interface OrphanReaper {
  watch(groupId: number): void
  release(groupId: number): void
  close(): void
}

/**
 * A shell (1 MB, one for all servers) that holds the other end of a pipe of ours. The kernel closes that pipe when we
 * end, also by SIGKILL; the shell then ends every group it was told of. `PR_SET_PDEATHSIG` was the other choice: it
 * reaches the direct child only, and Linux only.
 */
const SCRIPT = `
groups=
while read -r verb group; do
  case $verb in
    watch) groups="$groups $group" ;;
    release) rest=; for g in $groups; do [ "$g" = "$group" ] || rest="$rest $g"; done; groups=$rest ;;
  esac
done
[ -n "$groups" ] || exit 0
for g in $groups; do kill -TERM "-$g" 2>/dev/null; done
tries=0
while [ $tries -lt 20 ]; do
  alive=; for g in $groups; do kill -0 "-$g" 2>/dev/null && alive=1; done
  [ -n "$alive" ] || exit 0
  sleep 0.1; tries=$((tries + 1))
done
for g in $groups; do kill -KILL "-$g" 2>/dev/null; done
`

export function createOrphanReaper(deps: {
  /** There is no shell: servers may outlive a gateway that is killed. */
  readonly onUnavailable: () => void
}): OrphanReaper {
  // Windows has neither groups nor sh; there a server learns of our end by the end of its stdin.
  if (process.platform === 'win32') return { watch() {}, release() {}, close() {} }
  const groups = new Set<number>()
  let shell: ChildProcess | undefined

  function startShell(): ChildProcess {
    // A session of its own, so that the signal that ends the gateway's group does not end the shell before its work.
    const started = spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
    })
    const onEnd = (): void => {
      if (shell === started) shell = undefined
    }
    started.on('error', () => {
      onEnd()
      deps.onUnavailable()
    })
    started.on('exit', onEnd)
    started.stdin?.on('error', onEnd)
    started.unref()
    for (const group of groups) started.stdin?.write(`watch ${group}\n`)
    return started
  }

  return {
    watch(groupId) {
      groups.add(groupId)
      if (shell === undefined) shell = startShell()
      else shell.stdin?.write(`watch ${groupId}\n`)
    },
    release(groupId) {
      groups.delete(groupId)
      shell?.stdin?.write(`release ${groupId}\n`)
    },
    close() {
      shell?.stdin?.end()
      shell = undefined
    },
  }
}
