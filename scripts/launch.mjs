// Plain JavaScript: every npm script starts here, on whatever Node the machine has (>= 18). It installs what is
// missing, then runs the rest of the command line on the pinned Node.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { compileCache, root } from './node-path.mjs'
import { runNode } from './run-node.mjs'

const lockfile = path.join(root, 'package-lock.json')
const modules = path.join(root, 'node_modules')
const stamp = path.join(modules, '.drawbridge-lock')

if (existsSync(lockfile) && !isInstalled()) install()
runNode(process.argv.slice(2), compileCache)

function isInstalled() {
  // npm would empty the folder behind a link, which belongs to another checkout.
  if (existsSync(modules) && lstatSync(modules).isSymbolicLink()) return true
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === lockHash()
  // Installed by hand with npm: npm's own record is as new as the lockfile.
  const record = path.join(modules, '.package-lock.json')
  return existsSync(record) && statSync(record).mtimeMs >= statSync(lockfile).mtimeMs
}

function lockHash() {
  return createHash('sha256').update(readFileSync(lockfile)).digest('hex')
}

function install() {
  process.stderr.write('drawbridge: installing dependencies (about half a minute, once) ...\n')
  // --ignore-scripts: nothing of ours needs an install script, so none of a stranger's runs either.
  const args = [
    'ci',
    '--ignore-scripts',
    '--include=optional',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const npm = process.env.npm_execpath
  const done = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  if (done.status !== 0) {
    process.stderr.write('drawbridge: "npm ci" failed; its messages are above\n')
    process.exit(1)
  }
  writeFileSync(stamp, lockHash())
}
