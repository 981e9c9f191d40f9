export interface PropertyError {
  readonly value: string
  readonly property: string
  readonly line: string
  readonly code: string
}

/** Most often a search found nothing, or a result has other fields than thought. */
export function hintForProperty({ value, property, line, code }: PropertyError): string {
  if (UNAWAITED.test(line))
    return 'the promise was read before it was awaited: write (await tools.call(id, args)).name, or name the result first'
  const around =
    /(?:\.|\{[^}=]{0,80}\b)(content|structuredContent|data|result|results|output|response|body|value)\b/.exec(line)?.[1]
  if (/\b(?:e|err|error|ex|exception|reason)\??\.response\b/.test(line))
    return 'the error of a call has code, message and effect, no response: use error.code and error.message'
  if (around !== undefined && /\bartifact\(/.test(code))
    return `there is no .${around}: a part of an artifact has text (or base64), offset, bytes and nextOffset`
  const calls = /\bcall\(/.test(code)
  const listed = (calls ? LISTS : LISTS_OR_CONTENT).exec(line)?.[1]
  if (
    /^\d+$|^(?:map|filter|forEach|find|length)$/.test(property) &&
    /\btools\s*\.\s*search\b/.test(code) &&
    listed !== undefined
  )
    return `what stands before .${property} is ${value}; a search gives the list of hits itself: const hits = await tools.search("…"), then hits[0]`
  const part = DESCRIPTION_PARTS.exec(line)?.[1]
  if (part !== undefined && /\bdescribe\(/.test(code))
    return `there is no .${part}: a description has signature, inputSchema and outputSchema`
  if (SCHEMA_PARTS.test(line) && /\bsearch\(/.test(code))
    return 'a hit has id, name, description and signature; its schema is (await hit.describe()).inputSchema'
  const taken = fieldOfCall(property, line, code)
  if (taken !== undefined)
    return `"${taken}" is no field of what the call gave: a call gives the tool's value itself; console.log it to see`
  const isMethod = /^(?:call|describe|signature)$/.test(property)
  const isField = /^(?:id|name|description|score)$/.test(property) && /\bsearch\b/.test(code)
  if (isMethod || isField) {
    return `the hit is ${value}: the search may have found nothing, or await is missing; check it first: const [hit] = await tools.search("…"); if (!hit) return "none"`
  }
  if (around !== undefined && around !== property)
    return `.${around} is ${value}: a call gives the tool's value itself, with nothing around it; console.log it to see`
  const before = property === '' ? 'the property' : `.${property}`
  return `what stands before ${before} is ${value}; console.log the value that you got, or describe the tool to see what it gives`
}

/** `await tools.call(…).sum` awaits the sum of a promise. */
const UNAWAITED =
  /(?<!\(await )\btools\.[\w$.]{1,80}\([^()]*(?:\([^()]*\)[^()]*)*\)(?:\.(?!then\b|catch\b|finally\b)[\w$]|\[)/

/** Where other systems keep what a search found. */
const LISTS = /\b(tools|matches|items|data|results|hits|list|found)\b/
const LISTS_OR_CONTENT = /\b(tools|matches|items|data|results|hits|list|found|content|structuredContent)\b/

const SCHEMA_PARTS = /\.(?:inputSchema|input_schema|outputSchema|parameters|schema|function)\s*(?:\?\.|\.|\[)/

/** What other systems call the schemas of a description. */
const DESCRIPTION_PARTS =
  /\.(input_schema|output_schema|parameters|schema|params|args|inputs|function|arguments)\s*(?:\?\.|\.|\[)/

const TAKEN = /\{([^{}=]{1,200})\}\s{0,9}=\s{0,9}await\s{1,9}[\w$.[\]]{1,80}\(/g

/** `const { data } = await tools.call(…)` and then `data.sum`, where there is no `data`. */
function fieldOfCall(property: string, line: string, code: string): string | undefined {
  const read = [...line.matchAll(/(?<![\w$.])([\w$]{1,60})(?:\.([\w$]{1,60})|\[)/g)]
    .filter(([, , member = property]) => member === property)
    .map(([, name = '']) => name)
  for (const [, names = ''] of code.matchAll(TAKEN)) {
    const used = names.match(/[\w$]+/g)?.find((name) => read.includes(name))
    if (used !== undefined) return used
  }
  return undefined
}
