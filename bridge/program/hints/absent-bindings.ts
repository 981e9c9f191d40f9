import { hintForFunction } from './foreign-words.ts'

/** What a program may look for in vain, and what to use instead. */
const FILES = 'there are no files here; find a tool for it: await tools.search("read a file")'
const NETWORK =
  'there is no network here; find a tool for it: await tools.search("fetch a web page"), then tools.call(id, args)'
const PROCESS = 'a program has no process and no environment; find a tool for it: await tools.search("…")'
const PAGE = 'there is no web page here; a program gets its data from tools: await tools.search("…")'
const BYTES = 'use Uint8Array, TextEncoder and TextDecoder, and for base64 btoa and atob'
const TIMERS = 'timers are globals: await new Promise((resolve) => setTimeout(resolve, 100))'
const MODULES =
  'a program has no modules; everything it has is a global: tools, console, timers, URL, TextEncoder, structuredClone'
const SEARCH = 'use await tools.search("what you need"), which gives a list of hits'
const CALL = 'use await tools.call(id, args) with the id of a hit'
const DESCRIBE = 'use await tools.describe(id)'
const PRINT = 'use console.log, and return the result'
const BRIDGE = `the bridge is called tools: ${SEARCH}, and ${CALL}`
const THREADS = 'threads and shared memory are left out; Promise.all and tools.callAll run calls side by side'

const HINTS = new Map<string, string>([
  ...each(['require', 'module', 'exports', 'define', 'import', 'importScripts'], MODULES),
  ...each(['fs', 'fsPromises', 'path', 'os', 'readFile', 'readFileSync', 'writeFile', 'writeFileSync', 'open', 'glob'], FILES),
  ...each(['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'axios', 'http', 'https', 'net', 'request', 'Request', 'Response', 'Headers', 'FormData', 'navigator', 'got', 'requests', 'curl', 'ky'], NETWORK),
  ...each(['process', 'child_process', 'exec', 'execSync', 'spawn', 'spawnSync', 'Deno', 'Bun', 'env', 'shell', 'bash', 'cluster'], PROCESS),
  ...each(['document', 'alert', 'prompt', 'location', 'history'], PAGE),
  ...each(['window', 'self', 'global'], 'the global object is called globalThis; there is no web page and no Node here'),
  ...each(['Buffer', 'Blob', 'File', 'atob', 'btoa'], BYTES),
  ...each(['__dirname', '__filename'], FILES),
  ...each(['setImmediate', 'sleep', 'delay', 'wait'], TIMERS),
  ...each(['SharedArrayBuffer', 'Atomics', 'Worker', 'MessageChannel'], THREADS),
  ...each(['search', 'tool_search', 'toolSearch', 'searchTools', 'search_tools', 'find', 'find_tools', 'findTools', 'listTools', 'list_tools'], SEARCH),
  ...each(['tool_search_code'], 'this program is what tool_search_code runs; write its statements directly'),
  ...each(['call', 'tool_call', 'toolCall', 'callTool', 'call_tool', 'useTool', 'invoke', 'invokeTool', 'runTool', 'run_tool', 'execute', 'executeTool', 'use_mcp_tool'], CALL),
  ...each(['describe', 'tool_describe', 'toolDescribe', 'describeTool', 'describe_tool', 'getSchema', 'getTool'], DESCRIBE),
  ...each(['mcp', 'client', 'sdk', 'api', 'tool', 'toolbox', 'codemode', 'agent', 'functions', 'plugins', 'drawbridge', 'context', 'ctx'], BRIDGE),
  ...each(['store', 'storage', 'cache', 'memory', 'state', 'kv', 'localStorage', 'sessionStorage'], 'use await tools.store.get(key) and await tools.store.set(key, value)'),
  ...each(['input', 'inputs', 'args', 'params', 'event', 'payload', 'argv'], 'a program is given nothing; write the values into it'),
  ...each(['print', 'println', 'log', 'output', 'puts'], PRINT),
  ...each(['final_answer', 'finalAnswer', 'final', 'answer', 'respond', 'submit', 'finish', 'done'], 'the result is given by return'),
  ...each(['ToolError', 'McpError'], 'the error of a call is an Error: look at error.code, or error.name === "ToolError"'),
  ...each(['None', 'True', 'False'], 'a program is JavaScript: null, true, false'),
  ...each(['crypto', 'randomUUID'], 'there is no crypto here; Math.random is seeded'),
  ...each(['_', 'lodash', 'moment', 'dayjs', 'z', 'zod'], 'there are no libraries; use plain JavaScript'),
  ...each(['util', 'events', 'stream', 'url', 'assert'], MODULES),
  ...each(['performance', 'Temporal'], 'use Date.now(): the clock of a program stands still but for what it waits for'),
  ...each(['WebAssembly'], 'WebAssembly is left out; write it in JavaScript, or find a tool for it'),
  ...each(['WeakRef', 'FinalizationRegistry', 'gc'], 'garbage collection cannot be watched here; hold the value itself'),
  ...each(['AbortController', 'AbortSignal'], 'calls cannot be aborted; to wait no longer than so, Promise.race with a timer'),
]) // prettier-ignore

/** What to use instead of a name that a program does not have; undefined for a name that nothing is known of. */
export function hintForName(name: string): string | undefined {
  return HINTS.get(name) ?? (BRIDGES.test(name) ? BRIDGE : hintForFunction(name))
}

/** Methods that models look for on `tools`, and that may be a program's own names elsewhere. */
const MEMBER_HINTS = new Map<string, string>([
  ...each(['list', 'listAll', 'all', 'getAll', 'getTools', 'get_tools', 'discover', 'lookup', 'query', 'keys', 'names'], SEARCH),
  ...each(['get', 'load', 'schema', 'info', 'help', 'inspect'], `${DESCRIBE}; ${CALL}`),
  ...each(['run', 'use', 'exec', 'request', 'send', 'dispatch', 'batch', 'parallel'], `${CALL}; several at once: await tools.callAll([{ id, args }])`),
]) // prettier-ignore

/** What to use instead of a member that `tools` does not have. */
export function hintForMember(name: string): string | undefined {
  return MEMBER_HINTS.get(name) ?? hintForName(name)
}

/** Names that models give the bridge; also those of their own variables. */
export function isBridgeName(name: string): boolean {
  return hintForName(name) === BRIDGE
}

/** `MCPClient`, `toolClient`, `openai`: whatever it is called where the model saw it. */
const BRIDGES = /mcp|(?:^|[a-z_])client$|^Client|tool_?(?:kit|box|s|registry|manager)$|openai|anthropic|drawbridge/i

const PACKAGES: readonly (readonly [RegExp, string])[] = [
  [/^(?:fs|path|os|glob|fast-glob|fs-extra|rimraf)(?:\/|$)/, FILES],
  [/^(?:https?|http2|net|tls|dns|axios|node-fetch|undici|got|ky|request|superagent|ws|cross-fetch)(?:\/|$)/, NETWORK],
  [/^(?:child_process|process|cluster|worker_threads|execa|shelljs|dotenv)(?:\/|$)/, PROCESS],
  [/^timers(?:\/|$)/, TIMERS],
  [/^buffer(?:\/|$)/, BYTES],
  [
    /^(?:lodash|underscore|ramda|moment|dayjs|date-fns|luxon|zod|uuid)(?:[-/]|$)/,
    'there are no libraries; use plain JavaScript',
  ],
  [/mcp|modelcontextprotocol|openai|anthropic|langchain/i, `the bridge is the global tools: ${SEARCH}, and ${CALL}`],
]

/** What to use instead of a module. */
export function hintForModule(specifier: string): string {
  const name = specifier.replace(/^node:/, '')
  return PACKAGES.find(([pattern]) => pattern.test(name))?.[1] ?? `${MODULES}; for anything else ${SEARCH}`
}

function each(names: readonly string[], hint: string): readonly (readonly [string, string])[] {
  return names.map((name) => [name, hint] as const)
}
