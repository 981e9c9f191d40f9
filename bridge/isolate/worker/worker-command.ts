import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { IsolateError } from '../errors.ts'

/** How a worker is started: the program, its arguments, and which layers were put around it. */
export interface WorkerCommandLine {
  readonly file: string
  readonly args: readonly string[]
  readonly wrapped: boolean
}

export interface Confinement {
  /** Makes the command line of a worker; `slot` gives it a user of its own. */
  commandLine(slot: number): WorkerCommandLine
  /** Fewer layers, for machines where all together do not start. */
  readonly description: string
}

export interface WorkerFiles {
  readonly node: string
  readonly addon: string
  readonly worker: string
}

/** Address space of a worker: Node and its isolates reserve 2.2 GiB without using it; the rest is for one run. */
const ADDRESS_SPACE_BYTES = 3.25 * 1024 ** 3
/** Fewer do not start Node. */
const OPEN_FILES = 64
/** Users that no system gives to a person; one a worker, so that workers cannot signal each other. */
const FIRST_UID = 61_184
const UIDS = 4096

/** Strongest first; the last always starts where Node does. */
export function listConfinements(files: WorkerFiles, jit: boolean): readonly Confinement[] {
  const node = nodeArguments(files, jit)
  const plain: Confinement = {
    description: 'permission model',
    commandLine: () => ({ file: files.node, args: node, wrapped: false }),
  }
  if (process.platform !== 'linux') return [plain]
  const isRoot = process.getuid?.() === 0
  const bounds = works('prlimit', ['--core=0', 'true']) ? boundsOf(jit) : []
  const namespaces = namespacesOf(isRoot)
  const wrap = (name: string, chain: (slot: number) => readonly string[]): Confinement => ({
    description: name,
    commandLine: (slot) => {
      const [file = files.node, ...args] = [...chain(slot), files.node, ...node]
      return { file, args, wrapped: true }
    },
  })
  const candidates: Confinement[] = []
  if (isRoot && works('setpriv', ['--reuid', `${FIRST_UID}`, '--clear-groups', '--no-new-privs', 'true'])) {
    const user = (slot: number) => otherUser(FIRST_UID + (slot % UIDS))
    candidates.push(wrap('namespaces, bounds, other user', (slot) => [...namespaces, ...bounds, ...user(slot)]))
    candidates.push(wrap('bounds, other user', (slot) => [...bounds, ...user(slot)]))
  }
  const privileges = works('setpriv', ['--no-new-privs', 'true'])
    ? ['setpriv', '--no-new-privs', '--pdeathsig', 'KILL', '--']
    : []
  candidates.push(wrap('namespaces, bounds', () => [...namespaces, ...bounds, ...privileges]))
  candidates.push(wrap('bounds', () => [...bounds, ...privileges]))
  return [...candidates, plain]
}

/** The addon of this platform, found without loading it. */
export function findAddon(): string {
  const require = createRequire(import.meta.url)
  try {
    const root = path.dirname(require.resolve('isolated-vm/package.json'))
    const folder = path.join(root, 'prebuilds', `${process.platform}-${process.arch}`)
    const libc = process.platform === 'linux' ? (isMusl() ? '.musl' : '.glibc') : ''
    const file = path.join(folder, `isolated-vm.abi${process.versions.modules}${libc}.node`)
    if (existsSync(file)) return file
    throw new IsolateError(
      'isolate-addon-missing',
      `isolated-vm has no binary for this machine: ${path.basename(file)}`,
    )
  } catch (cause) {
    if (cause instanceof IsolateError) throw cause
    throw new IsolateError('isolate-addon-missing', 'isolated-vm is not installed', { cause })
  }
}

function nodeArguments(files: WorkerFiles, jit: boolean): readonly string[] {
  return [
    '--permission',
    '--allow-addons',
    '--no-node-snapshot',
    '--disable-sigusr1',
    '--no-warnings',
    // One thread for garbage collection too: its CPU time is then the program's, and it takes no other core.
    '--single-threaded',
    // Making an isolate is most of a run's time. Each lives for one program: a hash seed of its own protects nobody, and
    // the prelude takes Temporal away in any case.
    '--no-rehash-snapshot',
    '--no-harmony-temporal',
    ...(jit ? [] : ['--jitless']),
    files.worker,
    files.addon,
  ]
}

function boundsOf(jit: boolean): readonly string[] {
  // With a JIT V8 reserves a code range that does not fit the bound.
  const space = jit ? [] : [`--as=${ADDRESS_SPACE_BYTES}`]
  return ['prlimit', `--nofile=${OPEN_FILES}`, '--fsize=0', '--core=0', ...space, '--']
}

function namespacesOf(isRoot: boolean): readonly string[] {
  const options = isRoot ? ['-n', '-i', '-u'] : ['-U', '-r', '-n', '-i', '-u']
  return works('unshare', [...options, 'true']) ? ['unshare', ...options, '--'] : []
}

function otherUser(uid: number): readonly string[] {
  return [
    'setpriv',
    '--reuid',
    `${uid}`,
    '--regid',
    `${uid}`,
    '--clear-groups',
    '--no-new-privs',
    '--pdeathsig',
    'KILL',
    '--',
  ]
}

function works(file: string, args: readonly string[]): boolean {
  return spawnSync(file, args, { stdio: 'ignore', timeout: 5000 }).status === 0
}

function isMusl(): boolean {
  const report: unknown = process.report.getReport()
  const header = typeof report === 'object' && report !== null && 'header' in report ? report.header : undefined
  return !(typeof header === 'object' && header !== null && 'glibcVersionRuntime' in header)
}
