import { chmod, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { storeFile } from '../../store/open-store.ts'
import { PRIVATE_MODE } from '../../state/write-whole.ts'
import { STALE_FILE_MS } from '../limits.ts'
import type { DoctorFinding } from './doctor-finding.ts'
import { fine } from './doctor-finding.ts'
import type { Examined } from './examined.ts'

/** Something that `--fix` can mend without a doubt. */
interface Mendable {
  readonly finding: DoctorFinding
  readonly mend: () => Promise<void>
}

/** Who may read what is private, and what killed processes left behind. */
export async function checkFiles(examined: Examined, how: 'look' | 'mend'): Promise<readonly DoctorFinding[]> {
  const found = [...(await exposedFiles(examined)), ...(await leftBehind(examined))]
  if (found.length === 0) return [fine('files', `what is private in ${examined.stateDirectory} is so`)]
  const findings: DoctorFinding[] = []
  // One after the other: a file may be exposed and left behind.
  for (const { finding, mend } of found) {
    if (how === 'mend') await mend()
    findings.push(how === 'mend' ? { ...finding, isFixed: true } : finding)
  }
  return findings
}

const PRIVATE_FILES = ['tokens', 'seal.key', 'lock.db', 'gateway.json', 'logs/gateway.log', 'logs/gateway.log.1']

async function exposedFiles({ stateDirectory, loaded }: Examined): Promise<readonly Mendable[]> {
  // Modes mean nothing there.
  if (process.platform === 'win32') return []
  const store = storeFile(loaded.kind === 'read' ? loaded.config.store.url : 'sqlite:drawbridge.db', stateDirectory)
  const inState = (name: string): string => path.join(stateDirectory, name)
  const backups = (await namesIn(inState('config-backups'))).map((name) => inState(`config-backups/${name}`))
  const files = [...PRIVATE_FILES.map(inState), store, `${store}-wal`, `${store}-shm`, ...backups]
  // A configuration without secrets may be read by anybody.
  if (loaded.source !== undefined && loaded.kind === 'read' && loaded.secrets.length > 0) files.push(loaded.source)
  const exposed = await Promise.all(files.map((file) => exposure(file, 0o077, PRIVATE_MODE)))
  return [...exposed, await exposure(stateDirectory, 0o022, undefined)].flatMap((each) => each ?? [])
}

/** The file, when some of these bits are set; it then gets `mode`, or loses the bits. */
async function exposure(file: string, bits: number, mode: number | undefined): Promise<Mendable | undefined> {
  const found = await statOf(file)
  if (found === undefined || (found.mode & bits) === 0) return undefined
  const next = mode ?? found.mode & 0o777 & ~bits
  const message = `${file} can be ${bits === 0o022 ? 'changed' : 'read or changed'} by other users (mode ${octal(found.mode)})`
  const fix = `chmod ${octal(next)} ${file}`
  return { finding: { check: 'files', level: 'problem', message, fix }, mend: () => chmod(file, next) }
}

async function leftBehind({ stateDirectory, loaded, gateway, deps }: Examined): Promise<readonly Mendable[]> {
  const folders = new Set([
    stateDirectory,
    path.join(stateDirectory, 'config-backups'),
    path.dirname(loaded.source ?? stateDirectory),
  ])
  const lists = await Promise.all(
    [...folders].map(async (folder) => (await namesIn(folder)).map((name) => path.join(folder, name))),
  )
  const writes = lists.flat().filter((file) => /^\..+\.[0-9a-f-]{36}\.tmp$/.test(path.basename(file)))
  const lock = loaded.source === undefined ? [] : [`${loaded.source}.lock`]
  const old = await Promise.all(
    [...writes, ...lock].map(async (file) => {
      const found = await statOf(file)
      return found !== undefined && deps.now() - found.mtimeMs > STALE_FILE_MS ? [file] : []
    }),
  )
  const announced = path.join(stateDirectory, 'gateway.json')
  const isLeft = gateway.kind === 'stopped' && (await statOf(announced)) !== undefined
  return [...old.flat(), ...(isLeft ? [announced] : [])].map((file) => ({
    finding: {
      check: 'files',
      level: 'warning',
      message: `${file} was left by a process that was killed`,
      fix: `rm ${file}`,
    },
    mend: () => rm(file, { force: true }),
  }))
}

async function namesIn(folder: string): Promise<readonly string[]> {
  // A folder that is not there has nothing in it.
  return readdir(folder).catch(() => [])
}

async function statOf(file: string) {
  // What is not there is not exposed.
  return stat(file).catch(() => undefined)
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0')
}
