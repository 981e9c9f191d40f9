import { unsetPath } from '../../../config/document/edit-document.ts'
import { notConfigured, openLoginVault, readServers } from '../../mcp-desk.ts'
import { applyEdit } from '../config/config-edits.ts'
import type { Asked, ConfigFlags } from '../config/config-flags.ts'
import { tellEdit } from '../config/tell-edit.ts'

export async function removeServer(request: Asked<ConfigFlags> & { readonly name: string }): Promise<void> {
  const { name, flags, deps } = request
  const servers = await readServers(request)
  if (!Object.hasOwn(servers, name)) throw notConfigured(name, Object.keys(servers))
  const path = ['mcp', 'servers', name]
  const result = await applyEdit(request, path, (text) => unsetPath(text, path))
  // Another server may get this name one day.
  await (await openLoginVault(flags.stateDir, deps)).remove(name)
  await tellEdit(result, path, request)
}
