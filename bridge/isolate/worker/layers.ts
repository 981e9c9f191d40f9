import { readFileSync, readlinkSync } from 'node:fs'

/** What stands around a worker, read from the kernel and not from how it was started. */
export type Layers = Readonly<Record<string, boolean>>

export function readLayers(pid: number, jit: boolean): Layers {
  const status = readText(`/proc/${pid}/status`)
  const limits = readText(`/proc/${pid}/limits`)
  return {
    permission: true,
    'other-process': true,
    'empty-environment': readText(`/proc/${pid}/environ`) === '' && process.platform === 'linux',
    jitless: !jit,
    'network-namespace': isOtherNamespace(pid, 'net'),
    'ipc-namespace': isOtherNamespace(pid, 'ipc'),
    'other-uid': uidOf(status) !== undefined && uidOf(status) !== process.getuid?.(),
    'no-new-privileges': /^NoNewPrivs:\s*1$/m.test(status),
    'file-bounds': /^Max file size\s+0\s/m.test(limits),
    'no-core-dumps': /^Max core file size\s+0\s/m.test(limits),
    'address-space': limits !== '' && !/^Max address space\s+unlimited/m.test(limits),
    'resident-watchdog': status !== '',
  }
}

function isOtherNamespace(pid: number, name: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/ns/${name}`) !== readlinkSync(`/proc/self/ns/${name}`)
  } catch {
    // Not Linux, or not ours to see: then it is not claimed.
    return false
  }
}

function uidOf(status: string): number | undefined {
  const match = /^Uid:\s*(\d+)/m.exec(status)
  return match === null ? undefined : Number(match[1])
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // Absent on other systems.
    return ''
  }
}
