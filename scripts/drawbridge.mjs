#!/usr/bin/env node
// Plain JavaScript: the `drawbridge` command. In a checkout it runs the TypeScript, in an installed package the build.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { compileCache, root } from './node-path.mjs'
import { runNode } from './run-node.mjs'

const source = path.join(root, 'gateway', 'main.ts')
const isCheckout = existsSync(source)
const entry = isCheckout ? source : path.join(root, 'dist', 'gateway', 'main.js')
try {
  runNode([entry, ...process.argv.slice(2)], isCheckout ? compileCache : {})
} catch (error) {
  process.stderr.write(`drawbridge: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
