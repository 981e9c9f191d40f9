import { fillerSource } from './fill-arguments.js'

/** The program for `tool_search_code`: searches, describes the best hit, fills its arguments, calls it; `scripted` says how it ended. */
export function scriptedProgram(message: string, query: string): string {
  return `// Written by the scripted stand-in, not by a model.
const message = ${JSON.stringify(message)}
const query = ${JSON.stringify(query)}

const [hit] = await tools.search(query, { limit: 1 })
if (!hit || hit.weak) return { scripted: 'nothing-found' }
const tool = await tools.describe(hit.id)
const { args, missing } = fillArguments(tool.inputSchema, message)
if (missing.length > 0) return { scripted: 'missing', tool: hit.id, missing, signature: hit.signature }
const result = await tools.call(hit.id, args)
return { scripted: 'called', tool: hit.id, args, result }

${fillerSource}
`
}
