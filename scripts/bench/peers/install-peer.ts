import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'

export interface Peer {
  readonly name: string
  /** Pinned: a figure is of one version. */
  readonly version: string
}

/** Its binaries are 250 MB unpacked; a slow line needs minutes. */
const INSTALL_BUDGET_MS = 300_000

/**
 * Installs a peer from the registry into a folder, without running any of its scripts, unless this version is there.
 * @throws {Error} when npm cannot be run or does not end well
 */
export async function installPeer(peer: Peer, folder: string): Promise<'installed' | 'present'> {
  if ((await installedVersion(peer.name, folder)) === peer.version) return 'present'
  await mkdir(folder, { recursive: true })
  const wanted = `${peer.name}@${peer.version}`
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error', '--fetch-retries=1']
  const child = spawnNpm(['install', '--ignore-scripts', '--no-save', '--prefix', folder, ...quiet, wanted])
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`"npm install ${wanted}" ended with ${String(code)}; its messages are above`)
  const got = await installedVersion(peer.name, folder)
  if (got !== peer.version) throw new Error(`"npm install ${wanted}" left version ${String(got)} in ${folder}`)
  return 'installed'
}

async function installedVersion(name: string, folder: string): Promise<string | undefined> {
  const file = path.join(folder, 'node_modules', name, 'package.json')
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch {
    // Not there: the usual first run.
    return undefined
  }
  const manifest: unknown = JSON.parse(text)
  const version: unknown =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined
  return typeof version === 'string' ? version : undefined
}

/** The npm that runs this command where there is one, else the one on the path; it writes to our stderr only. */
function spawnNpm(args: readonly string[]): ReturnType<typeof spawn> {
  const npm = process.env['npm_execpath']
  const stdio = ['ignore', process.stderr, process.stderr] as const
  const options = { stdio: [...stdio], timeout: INSTALL_BUDGET_MS }
  if (npm?.endsWith('.js') === true) return spawn(process.execPath, [npm, ...args], options)
  return spawn('npm', args, { ...options, shell: process.platform === 'win32' })
}
