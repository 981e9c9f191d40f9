import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'

/**
 * Gives a folder the packages that the checkout's own code needs, as hard links, so that npm installs what else there is
 * and need not unpack 370 MB. What npm finds too much it removes, and what it misses it fetches: this decides nothing.
 */
export function seedPackages(checkout: string, folder: string): void {
  try {
    linkPackages(checkout, folder)
  } catch {
    // Another file system, or files of somebody else. Half a package would count as a whole one.
    rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true })
  }
}

interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface LockedPackage {
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly bin?: Readonly<Record<string, string>>
}

function linkPackages(checkout: string, folder: string): void {
  const lock: Lockfile = JSON.parse(readFileSync(path.join(checkout, 'package-lock.json'), 'utf8'))
  for (const [place, { dev, devOptional, bin = {} }] of Object.entries(lock.packages)) {
    const [from, to] = [path.join(checkout, place), path.join(folder, place)]
    // The checkout itself; what only its tests need; what is for another platform.
    if (place === '' || dev === true || devOptional === true || !existsSync(from)) continue
    linkFolder(from, to)
    // npm unpacks a package again whose commands are not there.
    for (const [command, file] of Object.entries(bin)) linkCommand(to, command, file)
  }
}

function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isFile()) linkSync(source, target)
    // Packages inside of it stand in the lockfile themselves.
    else if (entry.isDirectory() && entry.name !== 'node_modules') linkFolder(source, target)
  }
}

function linkCommand(home: string, command: string, file: string): void {
  const packages = 'node_modules'
  const commands = path.join(home.slice(0, home.lastIndexOf(packages)), packages, '.bin')
  mkdirSync(commands, { recursive: true })
  const link = path.join(commands, command)
  if (!existsSync(link)) symlinkSync(path.relative(commands, path.join(home, file)), link)
}
