import type { Tool } from '../../tool.ts'

/** Whose a tool is: a server may call itself as a plugin does and is another all the same. */
export function ownerKey({ source, owner }: Tool): string {
  return `${source}:${owner}`
}
