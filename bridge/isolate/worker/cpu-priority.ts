import { getPriority, setPriority } from 'node:os'

/** How far behind the gateway: of one core that both want, the gateway and other workers then get ten times as much. */
const BEHIND_NICE = 10
const LOWEST_NICE = 19

/** Lets others go first, or no longer: whoever computes for long then holds up nobody who has to answer. */
export function setBehind(pid: number, isBehind: boolean): void {
  try {
    const own = getPriority()
    setPriority(pid, isBehind ? Math.min(LOWEST_NICE, own + BEHIND_NICE) : own)
  } catch {
    // It has ended: nobody is put behind who may not come back.
  }
}

/** Whether there is a way back: the next run of the worker is another's. Most systems let only root go it. */
export function canReturn(pid: number): boolean {
  try {
    const own = getPriority(pid)
    setPriority(pid, Math.min(LOWEST_NICE, own + 1))
    setPriority(pid, own)
    return getPriority(pid) === own
  } catch {
    // One step behind is where it stays, which nobody notices.
    return false
  }
}
