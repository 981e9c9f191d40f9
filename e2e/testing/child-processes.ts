import { readdir, readFile } from 'node:fs/promises'

export interface ChildProcessInfo {
  readonly pid: number
  readonly command: string
}

/** Every process below one, at any depth; where there is no /proc, none. */
export async function childrenOf(root: number): Promise<readonly ChildProcessInfo[]> {
  const all = await listProcesses()
  const below = (pid: number): readonly ChildProcessInfo[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)])
  return below(root)
}

/** Whether it still runs, and not another process that got its number. */
export async function isAlive({ pid, command }: ChildProcessInfo): Promise<boolean> {
  const now = await readProcess(String(pid))
  return now !== undefined && now.command === command
}

async function listProcesses(): Promise<readonly (ChildProcessInfo & { readonly parent: number })[]> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  return (await Promise.all(names.map(readProcess))).flatMap((one) => one ?? [])
}

async function readProcess(pid: string): Promise<(ChildProcessInfo & { readonly parent: number }) | undefined> {
  try {
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim()
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    // A zombie has ended; only its parent has not asked how.
    if (/^State:\s+Z/m.test(status)) return undefined
    return { pid: Number(pid), command, parent: Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0) }
  } catch {
    // It ended while it was looked at.
    return undefined
  }
}
