import { readFileSync } from 'node:fs'

export interface ProcessUsage {
  readonly residentBytes: number
  readonly cpuMs: number
}

/** Linux gives user space 100 ticks a second, whatever the kernel's own rate. */
const TICK_MS = 10

/**
 * Reads what a process uses, from outside. Only Linux can without starting a program; elsewhere it is undefined, and
 * the isolate's own limits stand alone.
 */
export function createUsageReader(): ((pid: number) => ProcessUsage | undefined) | undefined {
  if (process.platform !== 'linux') return undefined
  const pageBytes = findPageBytes()
  if (pageBytes === undefined) return undefined
  return (pid) => {
    try {
      const { residentPages, cpuTicks } = readStat(pid)
      return { residentBytes: residentPages * pageBytes, cpuMs: cpuTicks * TICK_MS }
    } catch {
      // It has ended between the decision to look and the look.
      return undefined
    }
  }
}

function readStat(pid: number): { readonly residentPages: number; readonly cpuTicks: number } {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The second field is a name in brackets that may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { residentPages: Number(fields[21]), cpuTicks: Number(fields[11]) + Number(fields[12]) }
}

/** 4 KiB on most machines, 16 or 64 KiB on some ARM ones: our own size in both units tells. */
function findPageBytes(): number | undefined {
  try {
    const ratio = process.memoryUsage.rss() / readStat(process.pid).residentPages
    return 2 ** Math.round(Math.log2(ratio))
  } catch {
    return undefined
  }
}
