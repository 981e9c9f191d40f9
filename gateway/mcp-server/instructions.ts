import type { Mode } from '../../bridge/presentation/presentation.ts'

/** What a client puts before its model's conversation; at most 1 KB, the same from request to request. */
export function instructionsFor(mode: Mode): string {
  return INSTRUCTIONS[mode]
}

const CODE = `Many tools stand behind this server; you are shown one function, tool_search_code, that finds and calls all of them.
Give it a short JavaScript program: the body of an async function.
1. Find: return (await tools.search("what you need done", { limit: 5 })).map(({ id, signature }) => ({ id, signature }))
2. Call: return await tools.call(id, args), with the exact id and the arguments of the signature.
Do several calls, loops and filtering in one program, and return only what you need: intermediate results then cost no context.
A call that does not end well throws an error with code, message and effect: "none" (nothing happened), "done" or "unknown". Do not repeat a call whose effect is "unknown" without checking.
Search in other words before you conclude that a tool does not exist.`

const TOOLS = `Many tools stand behind this server; you are shown three functions that reach all of them.
1. tool_search { "query": "what you need done" } gives hits, best first, each with its exact id and signature.
2. tool_call { "id": "<id of a hit>", "args": { … } } calls it; the arguments follow the signature.
3. tool_describe { "id": … } gives the whole schema where the signature is not enough.
An answer that did not end well names its outcome, what was wrong and the effect: "none" (nothing happened), "done" or "unknown". Do not repeat a call whose effect is "unknown" without checking.
Search in other words before you conclude that a tool does not exist.`

const DIRECT = `The tools of several servers and plugins under one roof; the name of a tool begins with its owner (owner__name).
A call that did not end well says its outcome, what was wrong and the effect: "none" (nothing happened), "done" or "unknown". Do not repeat a call whose effect is "unknown" without checking.`

const INSTRUCTIONS: Readonly<Record<Mode, string>> = { code: CODE, tools: TOOLS, direct: DIRECT }
