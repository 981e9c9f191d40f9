import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { configPaths } from '../../gateway/config/config-paths.ts'
import { loadConfig } from '../../gateway/config/load-config.ts'
import type { Served } from '../../gateway/serving/serve.ts'
import { serve } from '../../gateway/serving/serve.ts'
import { packageVersion } from '../../gateway/version.ts'

export interface ServedInFolder extends Pick<Served, 'gateway' | 'url'> {
  /** Stops it and removes its folder. */
  close(): Promise<void>
}

/**
 * A whole gateway in this process, on a free port, with its state in a new folder of its own.
 * @throws {Error} with the problems of a configuration that is invalid
 */
export async function serveInFolder(name: string, config: object): Promise<ServedInFolder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `drawbridge-${name}-`))
  const configFile = path.join(folder, 'drawbridge.json5')
  await writeFile(configFile, JSON.stringify({ gateway: { port: 0 }, ...config }))
  const paths = configPaths({ cwd: folder, env: {}, stateDirectory: folder, configFile })
  const loaded = await loadConfig(paths, {})
  if (loaded.kind === 'invalid') throw new Error(`the configuration is invalid: ${JSON.stringify(loaded.problems)}`)
  const served = await serve({
    config: loaded,
    configFile,
    paths,
    importModule: (url) => import(url),
    stderr: { write: () => true },
    version: packageVersion(),
  })
  return {
    gateway: served.gateway,
    url: served.url,
    async close() {
      await served.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
