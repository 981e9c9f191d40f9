import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { anything, array, assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PreparedProgram } from './prepared-program.ts'
import { prepareProgram } from './prepare-program.ts'

const limits = { sourceBytes: 262_144 }
const prepare = (source: unknown): PreparedProgram => prepareProgram(source, limits)
const codes = (prepared: PreparedProgram): readonly string[] => prepared.notices.map(({ code }) => code)

type Ready = Extract<PreparedProgram, { kind: 'ready' }>
type Program = (tools: unknown, console: unknown) => Promise<unknown>
// oxlint-disable-next-line no-empty-function -- only its constructor is wanted: bodies are compiled as the isolate does
const AsyncFunction = (async () => {}).constructor

function ready(source: unknown): Ready {
  const prepared = prepare(source)
  if (prepared.kind === 'invalid') throw new Error(prepared.error.message)
  return prepared
}

const aTool = { a: 2, b: 3 }
const tools = {
  call: async (_id: unknown, args: typeof aTool) => ({ sum: args.a + args.b }),
  search: async () => [{ id: 'plugin:math:add' }],
}

/** Runs the prepared body as the isolate does, on a stand-in for the tools. */
async function run(source: unknown): Promise<unknown> {
  const program: Program = Reflect.construct(AsyncFunction, ['tools', 'console', ready(source).code])
  return await program(tools, { log: () => undefined })
}

const CALL = "(await tools.call('plugin:math:add', { a: 2, b: 3 })).sum"
const BODY = `return ${CALL}`
const FENCE = '```'

describe('a program that is fine', () => {
  test.each([
    BODY,
    `const r = ${CALL}\nreturn r`,
    `return (async () => ${CALL})()`,
    `;(async () => {\n  ${BODY}\n})();`,
    `async function main() {\n  ${BODY}\n}\nawait main();`,
    `main()\nasync function main() { ${BODY} }`,
    `const twice = (n) => n * 2\nasync function go() { return twice(2.5 + 0 * ${CALL}) }\ngo()`,
    "'use strict'\nconst x = 5\nreturn x",
    `for (;;) { return ${CALL} }`,
    'const s = `<script>` && "“quoted” &amp; it’s"\nreturn 5',
    'return 5 // ```js',
    '/*\n```js\nreturn 6\n```\n*/\nreturn 5',
    'with ({ x: 5 }) { return x }',
    `try { ${BODY} } catch { return 1 }`,
    '<!-- old comment\nreturn 5',
    'const o = { async run() { return 5 } }\nreturn await o.run()',
  ])('%j is run as it is, without a notice', async (source) => {
    expect(codes(ready(source))).toEqual([])
    expect(await run(source)).toBe(5)
  })

  test.each([
    ['a byte order mark', `\ufeff${BODY}`],
    ['a byte order mark and a line for the shell', `\ufeff#!/usr/bin/env node\n${BODY}`],
    ['what is disposed of at the end', `using held = { [Symbol.dispose]() {} }\n${BODY}`],
    ['what is awaited at the end', `await using held = { async [Symbol.asyncDispose]() {} }\n${BODY}`],
    ['line ends of Windows', `const r = ${CALL}\r\nreturn r\r\n`],
    ['spaces that do not break', `const\u00a0r =\u00a0${CALL}\nreturn\u00a0r`],
    ['a line for the shell', `#!/usr/bin/env node\n${BODY}`],
    ['space around', `\n\n  ${BODY}\n\n`],
  ])('%s needs no notice', async (_, source) => {
    expect(codes(ready(source))).toEqual([])
    expect(await run(source)).toBe(5)
  })

  test.each(['setTimeout(() => console.log(1), 10)', 'tools.call("x", {})\nsetInterval(() => 1, 5)'])(
    'a timer at the end of %j is no value, and that it does not fire is said',
    async (source) => {
      expect(codes(ready(source))).toEqual(['timer-left'])
      expect(ready(source).code).not.toContain('return')
    },
  )

  test('a program that only logs returns nothing', async () => {
    expect(await run(`const r = ${CALL}\nconsole.log(r)`)).toBeUndefined()
  })
})

describe('what stands around a program', () => {
  test.each([
    ['a fence with its language', `${FENCE}js\n${BODY}\n${FENCE}`],
    ['a fence without a language', `${FENCE}\n${BODY}\n${FENCE}`],
    ['a fence with prose around', `Here it is:\n\n${FENCE}javascript\n${BODY}\n${FENCE}\n\nThis adds them.`],
    ['prose that would be a label', `Program:\n${FENCE}\n${BODY}\n${FENCE}`],
    ['a fence behind prose on the line', `The program: ${FENCE}js\n${BODY}\n${FENCE}`],
    ['a fence of tildes', `~~~javascript\n${BODY}\n~~~`],
    ['a fence of four marks', `${FENCE}\`js\n${BODY}\n${FENCE}\``],
    ['an indented fence', `  ${FENCE}js\n  ${BODY}\n  ${FENCE}`],
    ['a fence that is never closed', `${FENCE}js\n${BODY}`],
    ['a fence closed on the last line', `${FENCE}js\n${BODY}${FENCE}`],
    ['a fence on one line', `${FENCE}js ${BODY} ${FENCE}`],
    ['a fence with attributes', `${FENCE}js title="a.js"\n${BODY}\n${FENCE}`],
    ['a fence with line ends of Windows', `${FENCE}js\r\n${BODY}\r\n${FENCE}\r\n`],
    ['a fence of TypeScript', `${FENCE}ts\nconst r: number = ${CALL}\nreturn r\n${FENCE}`],
    [
      'a fence beside one of another language',
      `${FENCE}json\n{"sum":1}\n${FENCE}\n${FENCE}js\n${BODY}\n${FENCE}\n${FENCE}bash\nls\n${FENCE}`,
    ],
    ['a single fence of an odd language', `${FENCE}text\n${BODY}\n${FENCE}`],
    ['a fence around an arrow', `${FENCE}js\nasync () => {\n  ${BODY}\n}\n${FENCE}`],
    ['a fence around JSON', `${FENCE}json\n${JSON.stringify({ code: BODY })}\n${FENCE}`],
    ['two fences that go together', `${FENCE}js\nconst r = ${CALL}\n${FENCE}\nthen\n${FENCE}js\nreturn r\n${FENCE}`],
    [
      'two fences that are versions',
      `${FENCE}js\nconst r = ${CALL}\nreturn r\n${FENCE}\nor\n${FENCE}js\nconst r = 1\nreturn r\n${FENCE}`,
    ],
    ['a broken fence and a good one', `${FENCE}js\nreturn )\n${FENCE}\n${FENCE}js\n${BODY}\n${FENCE}`],
    ['a fence and its output', `${FENCE}js\nconst r = ${CALL}\nr\n${FENCE}\nOutput:\n${FENCE}\n7\n${FENCE}`],
    ['a nameless fence and its output', `${FENCE}\nconst r = ${CALL}\nr\n${FENCE}\nOutput:\n${FENCE}\n7\n${FENCE}`],
    ['marks that were only closed', `${BODY}\n${FENCE}`],
    ['a script tag', `<script>\n${BODY}\n</script>`],
    ['a script tag with attributes and a page', `<html><body><script type="module">\n${BODY}\n</script></body></html>`],
    ['tags of code', `<code>${BODY}</code>`],
    ['tags in tags', `<pre><code class="js">\n${BODY}\n</code></pre>`],
    ['character data', `<![CDATA[\n${BODY}\n]]>`],
    ['a tag named after the tool', `<tool_search_code>${BODY}</tool_search_code>`],
    ['a sentence in front', `Here is the program:\n${BODY}`],
    ['the name of the language', `javascript\n${BODY}`],
    ['backticks', `\`${BODY}\``],
    ['JSON text', JSON.stringify(BODY)],
    ['an object as JSON text', JSON.stringify({ code: BODY })],
    ['a call as JSON text', JSON.stringify({ name: 'tool_search_code', arguments: { code: BODY } })],
    ['a call with arguments as JSON text', JSON.stringify({ arguments: JSON.stringify({ code: BODY }) })],
    ['an object in the manner of the language', `{ code: ${JSON.stringify(BODY)} }`],
    [
      'tags of calls',
      `<function_calls>\n<invoke name="x">\n<parameter name="code">${BODY}</parameter>\n</invoke>\n</function_calls>`,
    ],
    [
      'a fence of JSON with marks behind',
      `<｜tool▁call▁begin｜>x\n${FENCE}json\n${JSON.stringify({ code: BODY })}\n${FENCE}<｜tool▁call▁end｜>`,
    ],
    [
      'a list of one call behind its mark',
      `[TOOL_CALLS] ${JSON.stringify([{ name: 'x', arguments: { code: BODY } }])}`,
    ],
    ['a call of a function as JSON text', JSON.stringify({ function: { arguments: JSON.stringify({ code: BODY }) } })],
    [
      'sentences around typographic quotes',
      `Here is the program:\n\nreturn (await tools.call(‘x’, { a: 2, b: 3 })).sum\n\nIt’s the sum.`,
    ],
    ['sentences around entities', `This adds the numbers:\n\nconst f = (x) =&gt; x\n${BODY}\n\nDone with the sum.`],
    ['the steps of a plan', `1. Search for the tool\n2. Call it\n\n${BODY}`],
    ['tags of a call', `<function=tool_search_code>\n<parameter=code>\n${BODY}\n</parameter>\n</function>`],
    ['an object', { code: BODY }],
    ['a fence of quotes', `'''js\n${BODY}\n'''`],
    ['a fence of double quotes', `"""\n${BODY}\n"""`],
    ['a fence of two marks', `\`\`js\n${BODY}\n\`\``],
    ['a fence in a fence', `${FENCE}\`markdown\n${FENCE}js\n${BODY}\n${FENCE}\n${FENCE}\``],
    ['the language on the first line inside a fence', `${FENCE}\njavascript\n${BODY}\n${FENCE}`],
    ['thoughts', `<think>\nThe tool is plugin:math:add (a, b).\n</think>\n\n${BODY}`],
    ['thoughts before a fence', `<thinking>Use ${FENCE}js?</thinking>\n${FENCE}js\n${BODY}\n${FENCE}`],
    ['sentences in front', `I'll use the math tool.\n\nIt takes two numbers:\n\n${BODY}`],
    ['sentences behind', `${BODY}\n\nThis program adds 2 and 3, and returns the sum.`],
    [
      'sentences around TypeScript',
      `Here is what we need.\n\nconst r: number = ${CALL}\nreturn r\n\nThat is all it does.`,
    ],
    ['sentences in Chinese', `这个程序将两个数字相加。\n${BODY}`],
    ['a block of YAML', `code: |\n  const r = ${CALL}\n  return r`],
    ['tags of any name', `<run_code language="javascript">\n${BODY}\n</run_code>`],
    ['a closing tag alone', `${BODY}\n</code>`],
    ['a heading of Markdown', `## Solution\n\n${BODY}`],
    ['items of a list', `- search the tool\n- call it\n\n${BODY}`],
    ['a quotation of Markdown', `> ${FENCE}js\n> const r = ${CALL}\n>\n> return r\n> ${FENCE}`],
    ['the button of a page', `javascript\nCopy code\n${BODY}`],
    [
      'a line of an agent',
      `Thought: add them\nAction: tool_search_code\nAction Input: ${JSON.stringify({ code: BODY })}`,
    ],
    [
      'a message of a chat',
      `<|channel|>commentary to=functions.tool_search_code <|constrain|>json<|message|>${JSON.stringify({ code: BODY })}<|call|>`,
    ],
    [
      'an argument in tags beside others',
      `<invoke name="tool_search_code"><parameter name="description">adds</parameter><parameter name="code">${BODY}</parameter></invoke>`,
    ],
    [
      'keys and values in tags',
      `<tool_call>tool_search_code\n<arg_key>code</arg_key>\n<arg_value>${BODY}</arg_value></tool_call>`,
    ],
    ['the head of XML', `<?xml version="1.0"?>\n<program><![CDATA[\n${BODY}\n]]></program>`],
    ['lines in a list of JSON', JSON.stringify({ code: [`const r = ${CALL}`, 'return r'] })],
    ['a call of the tool by its full name', `functions.tool_search_code({"code": ${JSON.stringify(BODY)}})`],
    ['a call of the tool in another language', `print(default_api.tool_search_code(code=${JSON.stringify(BODY)}))`],
    ['a long text of another language', `tool_search_code(code="""\n${BODY}\n""")`],
    ['an object in other quotes', `{'code': 'const r = ${CALL.replaceAll("'", "\\'")}\\nreturn r'}`],
    ['JSON with its line ends as they are', `{"code": "const r = ${CALL}\nreturn r",}`],
    ['thoughts that only end', `add the numbers\n</think>\n\n${BODY}`],
    ['who says it', `assistant: const r = ${CALL}\nreturn r`],
    ['a rule of Markdown', `---\n${BODY}\n---`],
    ['a sentence without capitals', `here is the code you asked for:\n${BODY}`],
    ['a sign in front of a sentence', `✅ Here is the code:\n${BODY}`],
    ['tags in tags of any name', `<tool name="x"><run lang="js">${BODY}</run></tool>`],
    ['the input of an action as JSON', JSON.stringify({ action: 'tool_search_code', action_input: BODY })],
    [
      'a list of calls as JSON',
      JSON.stringify({ tool_calls: [{ function: { arguments: JSON.stringify({ code: BODY }) } }] }),
    ],
    ['the marks of a chat', `<|python_tag|>${BODY}<|eom_id|>`],
    ['the end of a turn', `${BODY}<|im_end|>`],
    ['the end of a text', `${BODY}</s>`],
    ['a call of the tool', `await tool_search_code(${JSON.stringify(BODY)})`],
    ['a call of the tool with an object', `tool_search_code({ code: \`\n${BODY}\n\` });`],
    ['marks of a call', `[TOOL_CALLS]tool_search_code${JSON.stringify({ code: BODY })}`],
    ['the turn of a chat', `<|im_start|>assistant\n${BODY}<|im_end|>`],
    ['the turn of a chat with a head', `<|start_header_id|>assistant<|end_header_id|>\n\n${BODY}<|eot_id|>`],
    ['the turn of a model', `<start_of_turn>model\n${BODY}<end_of_turn>`],
    ['a fence in the turn of a model', `<start_of_turn>model\n${FENCE}js\n${BODY}\n${FENCE}<end_of_turn>`],
    ['arguments behind a mark', `[TOOL_CALLS]tool_search_code[ARGS]${JSON.stringify({ code: BODY })}`],
    [
      'arguments between marks',
      `<|tool_call_begin|>functions.tool_search_code:0<|tool_call_argument_begin|>${JSON.stringify({ code: BODY })}<|tool_call_end|><|tool_calls_section_end|>`,
    ],
    ['calls behind a word', `functools[${JSON.stringify({ name: 'tool_search_code', arguments: { code: BODY } })}]`],
    ['a call in a list', `[tool_search_code(code=${JSON.stringify(BODY)})]`],
    [
      'a call in the quotes of Python',
      `{'name': 'tool_search_code', 'strict': None, 'arguments': {'code': "${BODY.replaceAll('\n', '\\n')}",}}`,
    ],
    ['JSON with a comment', `${FENCE}jsonc\n// the call\n${JSON.stringify({ code: BODY, timeout: 5 })}\n${FENCE}`],
    ['JSON with a bracket too many', `${JSON.stringify({ code: BODY })}}`],
    ['JSON that lost its end', JSON.stringify({ code: BODY }).slice(0, -1)],
    ['JSON inside a string', JSON.stringify(JSON.stringify({ code: BODY })).slice(1, -1)],
    ['a comment of another language', `# adds them, don't ask\nconst r = ${CALL} # twice\nreturn r`],
    ['a program encoded twice', JSON.stringify(`const r = ${CALL}\nreturn r`).slice(1, -1).replaceAll('\\"', '"')],
  ])('%s is taken away, and it is said', async (_, source) => {
    expect(codes(ready(source)).length).toBeGreaterThan(0)
    expect(await run(source)).toBe(5)
  })

  test('sentences are left out only where a program is left', () => {
    expect(prepare(`We add the numbers first.\nreturn )`).kind).toBe('invalid')
    expect(prepare('Please add 2 and 3 using the math tool.')).toMatchObject({
      kind: 'invalid',
      error: { hint: expect.stringContaining('tools.search') },
    })
  })

  test('quotes of other languages inside a program are none of its fences', async () => {
    expect(await run('const text = `\n"""\nreturn 1\n"""\n`\nreturn text.length')).toBe(18)
  })

  test('a text that is a program of its own stays text', async () => {
    expect(await run('"hello"')).toBe('hello')
    expect(await run('`a ${await 2}`')).toBe('a 2')
  })
})

describe('functions that were not called', () => {
  test.each([
    ['an arrow', `async () => {\n  ${BODY}\n}`],
    ['an arrow with a semicolon', `async () => { ${BODY} };`],
    ['an arrow with an expression', `async () => ${CALL}`],
    ['an arrow in parentheses', `(async () => { ${BODY} })`],
    ['an arrow with its call but no parentheses', `async () => { ${BODY} }()`],
    ['a nameless function', `async function () { ${BODY} }`],
    ['a nameless function with its call', `async function () {\n  ${BODY}\n}();`],
    ['a named function', `async function main() { ${BODY} }`],
    ['a function of any name', `async function addThem() { ${BODY} }`],
    ['a function in a constant', `const main = async () => { ${BODY} }`],
    ['a function named at the end', `async function main() { ${BODY} }\nmain`],
    [
      'helpers and a main',
      `const id = (x) => x\nfunction other() { return 1 }\nasync function main() { return id(${CALL}) }`,
    ],
    ['a function that takes the tools', `async function main(tools) { ${BODY} }`],
    [
      'a function that takes them under another name',
      `async (toolbox) => (await toolbox.call('x', { a: 2, b: 3 })).sum`,
    ],
    ['a function that takes them in an object', `async ({ tools }) => ${CALL}`],
    ['a function that takes parts of them', `async ({ call }) => (await call('x', { a: 2, b: 3 })).sum`],
    [
      'a function that takes a context',
      `export default async function (ctx) { return (await ctx.tools.call('x', { a: 2, b: 3 })).sum }`,
    ],
    ['an export by default', `export default async function () {\n  ${BODY}\n}`],
    ['a named export by default', `export default async function run(tools) { ${BODY} }`],
    ['an arrow exported by default', `export default async () => { ${BODY} }`],
    [
      'an export by default with helpers behind',
      `export default async () => twice(2.5 + 0 * ${CALL})\nconst twice = (n) => n * 2`,
    ],
    ['a name exported by default', `async function run() { ${BODY} }\nexport default run`],
    ['an export by name', `export async function main() { ${BODY} }`],
    ['an exported constant', `export const main = async () => { ${BODY} }`],
    ['an export list', `async function a() { ${BODY} }\nexport { a as default }`],
    ['an object with a function', `export default { async execute() { ${BODY} } }`],
    ['module.exports', `module.exports = async () => { ${BODY} }`],
    ['module.exports of a name', `async function run() { ${BODY} }\nmodule.exports = run`],
    ['module.exports of an object', `async function main() { ${BODY} }\nmodule.exports = { main }`],
    [
      'the mark of a compiler',
      `Object.defineProperty(exports, '__esModule', { value: true })\nexports.default = async () => { ${BODY} }`,
    ],
    ['a declared object with a function', `const program = { async run() { ${BODY} } }`],
    ['a returned name', `const main = async () => { ${BODY} }\nreturn main`],
    ['an exported name that takes an object', `const run = async ({ tools }) => { ${BODY} }\nmodule.exports = { run }`],
    ['exports.main', `exports.main = async function () { ${BODY} }`],
    ['a nameless function behind a comment', `/* adds */ async function () { ${BODY} }`],
    ['a returned function', `return async () => { ${BODY} }`],
    [
      'a function behind its data',
      `const ids = ['x']\nconst most = { a: -1 }\nasync function addThem() { return (await tools.call(ids[0], { a: 2, b: 3 })).sum }`,
    ],
    ['a class with a method', `class Program {\n  async run() { ${BODY} }\n}`],
    ['a class with a static method', `class Program { static async main() { ${BODY} } }`],
    [
      'a class that takes the tools',
      `class Job { constructor(tools) { this.t = tools }\n async go() { return (await this.t.call('x', { a: 2, b: 3 })).sum } }`,
    ],
    ['a class with helpers', `class Job { async run() { return this.add() }\n async add() { ${BODY} } }`],
    ['a class exported by default', `export default class Program { async run() { ${BODY} } }`],
    ['an exported object with one function of any name', `export default { async fetch(request) { ${BODY} } }`],
    ['module.exports with one function of any name', `module.exports = { addThem: async () => ${CALL} }`],
  ])('%s is called, and it is said', async (_, source) => {
    expect(codes(ready(source))).toContain('function-called')
    expect(await run(source)).toBe(5)
  })

  test('a helper that nothing uses is not called beside a program that does something', async () => {
    expect(await run(`const unused = () => 1\nconst r = ${CALL}`)).toBe(5)
  })

  test('of several functions that nothing uses none is guessed', async () => {
    expect(await run('function a() { return 1 }\nfunction b() { return 2 }')).toBeUndefined()
  })

  test('a file that checks whether it was started is started', async () => {
    const main = `async function main() { ${BODY} }`
    expect(await run(`${main}\nif (require.main === module) { main() }`)).toBe(5)
    expect(await run(`${main}\nif (typeof require !== 'undefined' && require.main === module) main()`)).toBe(5)
    expect(await run(`${main}\nif (import.meta.main) await main()\nelse console.log('imported')`)).toBe(5)
  })

  test('of several methods or classes none is guessed, and it is said', () => {
    expect(codes(ready('class A { a() { return 1 }\n b() { return 2 } }'))).toEqual(['nothing-called'])
    expect(codes(ready('class A { run() { return 1 } }\nclass B { run() { return 2 } }'))).toEqual(['nothing-called'])
    expect(codes(ready('function a() { return 1 }\nfunction b() { return 2 }'))).toEqual(['nothing-called'])
  })

  test('an exported function that is called anyway is called once', async () => {
    const source = `let n = 0\nexport default async function main() { n += 1; return n }\nawait main()`
    expect(await run(source)).toBe(1)
  })
})

describe('a missing return', () => {
  test('a value behind several bare returns is the result, and that is said once', async () => {
    const source = `${'return\n'.repeat(3)}5`
    expect(await run(source)).toBe(5)
    expect(codes(prepare(source)).filter((code) => code === 'return-joined')).toHaveLength(1)
  })

  test.each<[string, string, unknown]>([
    ['an expression', `const r = ${CALL}\nr`, 5],
    ['a call', "await tools.call('x', { a: 2, b: 3 })", { sum: 5 }],
    ['a promise', "tools.call('x', { a: 2, b: 3 })", { sum: 5 }],
    ['an object in parentheses', `const r = ${CALL};\n({ total: r })`, { total: 5 }],
    ['an object without parentheses', `const total = ${CALL};\n{ total: total }`, { total: 5 }],
    ['an object of names', `const a = ${CALL}, b = 1;\n{ a, b }`, { a: 5, b: 1 }],
    ['an object of several properties', `const r = ${CALL}\n{ total: r, twice: r * 2 }`, { total: 5, twice: 10 }],
    ['an object alone', '{ a: 5, b: 1 }', { a: 5, b: 1 }],
    ['a list', `const r = ${CALL}\n;[r, r]`, [5, 5]],
    ['an assignment', `let r\nr = ${CALL}`, 5],
    ['a constant', `const r = ${CALL}`, 5],
    ['parts of a value', "const { sum, more = 1 } = await tools.call('x', { a: 2, b: 3 })", { sum: 5, more: 1 }],
    ['an object that is exported', `const sum = ${CALL}\nexport default { sum }`, { sum: 5 }],
    ['an object as module.exports', `const sum = ${CALL}\nmodule.exports = { sum }`, { sum: 5 }],
    ['a template on a line of its own', `const r = ${CALL}\n\`sum \${r}\``, 'sum 5'],
    ['a list on a line of its own', `const r = ${CALL}\n[r, r + 1]`, [5, 6]],
    ['an object in parentheses behind an open line', `const r = ${CALL} // added\n({ r })`, { r: 5 }],
    ['a list behind a line of the log', `console.log('x')\n[1, 2].map((n) => n * 2)`, [2, 4]],
    ['several constants', `const a = ${CALL}, b = 1`, { a: 5, b: 1 }],
    ['a block with a label', `result: { const r = ${CALL}; r }`, 5],
    ['a template', '`${2 + 3}`', '5'],
    ['both branches', `const r = ${CALL}\nif (r > 1) { r } else { 0 }`, 5],
    ['a try', `try { ${CALL} } catch (e) { 'failed' }`, 5],
    ['a catch', "try { Promise.reject(new Error('x')) } catch (e) { e.message }", 'x'],
    ['a block', `{ const r = ${CALL}; r }`, 5],
    ['an expression before a function', `f()\nfunction f() { return 5 }`, 5],
    ['an expression with a comment behind', '2 + 3 // five', 5],
    ['an early return and an expression', `if (false) return 1;\n${CALL}`, 5],
    ['a value behind a lonely return', `const a = 5\nreturn\n{ a, b: 1 }`, { a: 5, b: 1 }],
    ['a text behind a lonely return', `return\n'x'`, 'x'],
    ['a call that is thrown away', `void (async () => ${CALL})()`, 5],
  ])('%s is the result', async (_, source, value) => expect(await run(source)).toEqual(value))

  test.each([`const r = ${CALL}\nr`, "await tools.call('x', { a: 2, b: 3 })", '({ a: 1 })', 'const r = 1'])(
    'of %j is said',
    (source) => {
      expect(codes(ready(source))).toContain('value-returned')
    },
  )

  test('loops have no value, and it is said', async () => {
    const source = 'for (const x of [1]) { x }'
    expect(codes(ready(source))).toEqual(['nothing-returned'])
    expect(await run(source)).toBeUndefined()
  })

  test.each([
    `async function main() { ${BODY} }\nmain().then((r) => r).catch((e) => console.error(e))`,
    `async function main() { ${BODY} }\nawait main().finally(() => 1)`,
    `class P { async run() { ${BODY} } }\nnew P().run()`,
    `class P { async run() { ${BODY} } }\nawait new P().run()`,
  ])('%j calls its own and needs no notice', async (source) => {
    expect(codes(ready(source))).toEqual([])
    expect(await run(source)).toBe(5)
  })

  test.each(['for (const x of [1]) console.log(x)', 'if (false) return 1', "throw new Error('x')"])(
    '%j needs no notice that it gives nothing',
    (source) => expect(codes(ready(source))).toEqual([]),
  )
})

describe('the call of a tool in place of a program', () => {
  test.each([
    [{ name: 'plugin:math:add', arguments: { a: 2, b: 3 } }, 'tools.call("plugin:math:add", {"a":2,"b":3})'],
    [{ type: 'function', function: { name: 'math_add', arguments: '{"a":2}' } }, 'tools.call("math_add", {"a":2})'],
    [[{ tool: 'x', args: {} }], 'tools.call("x", {})'],
    [
      {
        tool_calls: [
          { id: 'x', input: {} },
          { id: 'y', input: {} },
        ],
      },
      'tools.callAll([{ id: "x", args: {} }, …])',
    ],
    [{ name: 'tool_search', arguments: { query: 'add' } }, 'tools.search("add")'],
    [{ query: 'add', limit: 5 }, 'tools.search({"query":"add","limit":5})'],
  ])('%j is not run, and what to send is said', (call, program) => {
    const text = JSON.stringify(call)
    for (const source of [text, `${FENCE}json\n${text}\n${FENCE}`, `<tool_call>${text}</tool_call>`])
      expect(prepare(source)).toMatchObject({ kind: 'invalid', error: { message: expect.stringContaining(program) } })
  })

  test.each([{ name: 'Ada', args: 5 }, { a: 1 }, [], [{ name: 'x' }], { query: 'add', rows: [] }])(
    '%j is a value like any other',
    async (value) => expect(await run(JSON.stringify(value))).toEqual(value),
  )
})

describe('TypeScript', () => {
  test.each<[string, string]>([
    ['annotations', `const r: { sum: number } = await tools.call('x', { a: 2, b: 3 });\nreturn r.sum as number`],
    ['generics', `function first<T>(xs: T[]): T { return xs[0]! }\nreturn first<number>([${CALL}])`],
    [
      'interfaces and aliases',
      `interface A { sum: number }\ntype B = A | null\nconst r = <A>{ sum: 5 }\nreturn (r satisfies B).sum`,
    ],
    [
      'a value before an interface and a bracket after it',
      'const f = (x) => x\nconst a = f\ninterface X {}\n(5)\nreturn 5',
    ],
    [
      'a cast before a bracket on the next line',
      'const a = 5 as number\n;[1].map((x) => x)\nlet b = a as any\n[5].map((x) => x)\nreturn b',
    ],
    [
      'classes',
      "class P<T> implements Q { private readonly x: number = 5; static y?: string; z!: number; constructor(a?: T) {} get v(): number { return this.x } m(): void; m() {} }\nreturn new P<string>('a').v",
    ],
    [
      'abstract classes',
      'abstract class H { abstract x(): void; protected abstract y: number; v = 5 }\nclass I extends H { override x() {} }\nreturn new I().v',
    ],
    ['functions', 'const f = async <T,>(a: T, b?: number, ...c: string[]): Promise<T> => a\nreturn await f(5)'],
    ['a long return type', 'const f = (): {\n  a: number\n} => ({ a: 5 })\nreturn f().a'],
    [
      'overloads and this',
      'function f(a: string): void\nfunction f(a: number): number\nfunction f(this: any, a: any) { return a }\nreturn f.call(1, 5)',
    ],
    [
      'declarations',
      'declare const tools: any\ndeclare function g(): void\ndeclare global { interface W {} }\nreturn 5',
    ],
    ['catch and loops', 'try { throw 5 } catch (e: unknown) { for (const [k] of [[e]] as unknown[][]) return k }'],
    ['non-null and optional chains', 'const a: any = { b: { c: 5 } }\nreturn a!.b!.c ?? a?.b!.c'],
    [
      'types of imports',
      "import type { X } from 'y'\nimport { type Y, tools } from 'drawbridge'\nexport type { X }\nreturn 5",
    ],
    [
      'an exported function with types',
      `export default async function main(t: Tools): Promise<number> { return (await tools.call('x', { a: 2, b: 3 })).sum }`,
    ],
    [
      'a type before the first call',
      `type Hit = { id: string; score?: number }\nconst hits: Hit[] = await tools.search('x')\nreturn hits.length * 5`,
    ],
    [
      'guards and keys',
      'const isS = (x: unknown): x is string => typeof x === "string"\nfunction k<T extends object, K extends keyof T>(o: T, key: K): T[K] { return o[key] }\nreturn k({ a: 5 }, "a")',
    ],
    ['type arguments that are two comparisons', `return (await tools.call<{ sum: number }>('x', { a: 2, b: 3 })).sum`],
    ['a constant list', 'const xs = [5, 6] as const\nreturn xs[0]'],
    ['enums', 'enum E { A, B = 4, C }\nreturn E.C'],
    ['enums of text', `enum Id { Add = 'x' }\nreturn (await tools.call(Id.Add, { a: 2, b: 3 })).sum`],
    ['enums that count on', 'const enum E { A = 1 << 1, B, C = A | 1, D }\nreturn E[E.D] === "D" ? E.B + 2 : 0'],
    ['enums inside a function', 'const f = () => { enum E { X = 5 }\n return E.X }\nreturn f()'],
    ['names of numbers', `enum E { Five = 5 }\nreturn E[5] === 'Five' ? E.Five : 0`],
    [
      'parameter properties',
      'class P { constructor(private readonly x: number, public y = 3, z?: number) {} sum() { return this.x + this.y } }\nreturn new P(2).sum()',
    ],
    [
      'parameter properties of a class that extends another',
      'class A { a = 2 }\nclass B extends A { constructor(public b: number) { super()\n this.b += this.a } }\nreturn new B(3).b',
    ],
    ['object literals with casts', 'return [{ a: 5 } as any].map((x: any) => x.a)[0] as number'],
  ])('%s are left out, and it is said', async (_, source) => {
    expect(codes(ready(source))).toContain('types-removed')
    expect(await run(source)).toBe(5)
  })

  test.each([['const a: number = 1\nnamespace N { export const a = 1 }', 'namespace', 'object']])(
    '%j is refused with a way out',
    (source, words, way) => {
      const prepared = prepare(source)
      expect(prepared).toMatchObject({
        kind: 'invalid',
        error: { message: expect.stringContaining(words), hint: expect.stringContaining(way) },
      })
    },
  )

  test('an error behind types is found where it is', () => {
    expect(prepare('const a: number = 1\nconst b: string = )\nreturn a')).toMatchObject({
      error: { line: 2, column: 19 },
    })
  })
})

describe('what the way here did to the text', () => {
  test.each([
    ['typographic quotes', `return (await tools.call(“x”, { a: 2, b: 3 })).sum`],
    ['single typographic quotes', `return (await tools.call(‘x’, { a: 2, b: 3 })).sum`],
    ['mixed quotes', `return (await tools.call("x”, { a: 2, b: 3 })).sum`],
    ['low quotes', `return (await tools.call(„x“, { a: 2, b: 3 })).sum`],
    ['typographic quotes around an apostrophe', `const s = ‘it’s’\nreturn s.length + 1`],
    ['typographic quotes around quotes', `const s = “a "b" c”\nreturn s.length - 2`],
    ['escaped arrows', `return [5].map((x) =&gt; x)[0]`],
    ['escaped operators', `return 1 &lt; 2 &amp;&amp; 2 &gt;= 1 ? 5 : 0`],
    ['escaped quotes', `return (await tools.call(&quot;x&quot;, { a: 2, b: 3 })).sum`],
    ['numbered entities', `return (await tools.call(&#39;x&#x27;, { a: 2, b: 3 })).sum`],
    ['wide punctuation', `return Math.max（2，5）；`],
    ['invisible characters', `return\u200b 5`],
    ['an arrow of one character', 'const f = (x) ⇒ x\nreturn f(5)'],
    ['escaped quotes of one kind', String.raw`return (await tools.call(\"x\", { a: 2,` + '\n b: 3 })).sum'],
    ['escaped backticks', 'const r = 5\nreturn Number(\\`\\${r}\\`)'],
    ['escaped signs', String.raw`const f = (x) =\u003e x` + '\nreturn f(5)'],
    ['escaped signs and quotes', String.raw`return (await tools.call(\u0027x\u0027, { a: 2, b: 3 })).sum`],
    ['the backslashes of Markdown', 'const a\\_b = \\[5\\]\nreturn a\\_b\\[0\\]'],
    ['lines that go on as in a shell', 'const r = 5 \\\nreturn r'],
    ['marks of direction', `const r = 5\u202e\nreturn r`],
    ['escapes and quotes at once', `const f = (x) =&gt; x\nreturn f(“hello”).length`],
  ])('%s are mended, and it is said', async (_, source) => {
    expect(codes(ready(source)).length).toBeGreaterThan(0)
    expect(await run(source)).toBe(5)
  })

  test.each(['return "“a”"', "return 'it’s &amp; &lt;'", 'return `（“x”）`'])(
    '%j is left, since it parses',
    async (source) => {
      expect(codes(ready(source))).toEqual([])
      expect(ready(source).code).toBe(source)
    },
  )

  test('a comparison that was escaped is mended though it parses', async () => {
    const source = 'const ok = 1 &lt; 2\nreturn ok'
    expect(codes(ready(source))).toEqual(['entities-decoded'])
    expect(await run(source)).toBe(true)
  })

  test.each(['const amp = 6, lt = 3; return amp &lt; 4', 'return "a &lt; b"', '// a &lt; b\nreturn 1'])(
    '%j is meant as it stands',
    (source) => expect(codes(ready(source))).not.toContain('entities-decoded'),
  )

  test('inside ordinary strings nothing is replaced even where the rest is', async () => {
    expect(await run("const f = (x) =&gt; x\nreturn f('a &lt; “b”')")).toBe('a &lt; “b”')
    expect(await run('const s = “x”\nreturn "it’s “so”" + s')).toBe('it’s “so”x')
  })
})

describe('imports', () => {
  test.each([
    `import { tools } from 'drawbridge'\n${BODY}`,
    `import tools from "tools"\n${BODY}`,
    `import * as tools from './tools.js'\n${BODY}`,
    `import { tools, console } from '@drawbridge/sdk'\n${BODY}`,
    `import { tools as t } from 'drawbridge'\nreturn (await t.call('x', { a: 2, b: 3 })).sum`,
    `import 'drawbridge'\n${BODY}`,
    `const { tools } = require('drawbridge')\n${BODY}`,
    `const tools = await import('tools')\n${BODY}`,
  ])('%j: the tools are a global, and it is said', async (source) => {
    expect(prepare(source).notices).toEqual([{ code: 'import-removed', message: expect.stringContaining('tools') }])
    expect(await run(source)).toBe(5)
  })

  test.each([
    ["import fs from 'node:fs'", 'node:fs', 'read a file'],
    ["import { readFile } from 'fs/promises'", 'fs/promises', 'read a file'],
    ["import axios from 'axios'", 'axios', 'fetch a web page'],
    ["import https from 'node:https'", 'node:https', 'fetch a web page'],
    ["import { exec } from 'child_process'", 'child_process', 'tools.search'],
    ["import _ from 'lodash'", 'lodash', 'plain JavaScript'],
    ["import { setTimeout } from 'node:timers/promises'", 'timers', 'globals'],
    ["import { Client } from '@modelcontextprotocol/client'", 'modelcontextprotocol', 'tools'],
    ["import { search } from 'drawbridge'", 'drawbridge', 'tools.search'],
    ["export * from './other'", './other', 'tools'],
    ["import './polyfill'", './polyfill', 'tools'],
  ])('%s is refused before anything runs, with what to use', (line, module, way) => {
    expect(prepare(`const a = 1\n${line}\nreturn a`)).toMatchObject({
      kind: 'invalid',
      error: {
        code: 'program-error',
        line: 2,
        column: 1,
        message: expect.stringContaining(module),
        hint: expect.stringContaining(way),
      },
    })
  })
})

describe('syntax errors', () => {
  test("have line, column, the line and a caret, in the model's own text", () => {
    const prepared = prepare(`Look:\n${FENCE}js\nconst a = 1\nreturn a)\n${FENCE}`)
    expect(prepared).toMatchObject({ kind: 'invalid', error: { code: 'program-error', line: 4, column: 9 } })
    expect(prepared.kind === 'invalid' && prepared.error.message).toContain(
      'unexpected token ")" (line 4, column 9)\n  return a)\n          ^',
    )
  })

  test.each([
    ['return [1, 2', 'the "[" at line 1, column 8 is never closed'],
    ['if (x) {\n  return 1', 'the "{" at line 1, column 8'],
    ['return "abc', 'missing'],
    ['const s = "line one\nline two"', 'backquotes'],
    ['const r = f(1,\n  { a: 1 }\nreturn r', 'the "(" at line 1, column 12 is never closed'],
    ['return `sum: ${r.su', 'the "{" at line 1, column 15 is never closed'],
    ['return `sum: ${r.sum} and ${', 'the "{" at line 1, column 28 is never closed'],
    ['return 1 /* the', '*/'],
    ['const r = f()\n...\nreturn r', 'dots'],
    ['return [h.id for h in hits]', 'list.map'],
    ["return 'big' if r > 3 else 'small'", 'condition ? one : other'],
    ["if (!r) raise Exception('none')", 'throw new Error'],
    ['node -e "console.log(1)"', 'shell'],
    ['const r = f()\nretrun r.sum', 'did you mean return'],
    ['const r = awiat tools.search("x")', 'did you mean await'],
    ['const f = asnyc () => 1', 'did you mean async'],
    ['if (a) {\n  return 1\n} elif (b) {\n  return 2\n}', 'else if'],
    ['const r = f()\nputs r.sum', 'console.log'],
    ['r := f()', 'const name'],
    ['return hits[:2]', 'list.slice'],
    ['if (a <> b) return 1', '!=='],
    ['f(*[1, 2])', '...list'],
    ['return f({ a=2 })', '{ name: value }'],
    ['<?php\n$r = f();', 'no JavaScript'],
    ['const s = `a ${b\nreturn s', 'the "{" at line 1, column 15 is never closed'],
    ['return <b>{r.sum}</b>', 'JSX'],
    ['if (x and y) { return 1 }', '&&'],
    ['if (not x) { return 1 }', '!'],
    ['return f"sum is {x}"', 'backquotes'],
    ['items.forEach((x) => { const y = await tools.call(x) })', 'async'],
    ['def main():\n    return 1', 'Python'],
    ['r = tools.call("x")\nfor x in [1, 2]:\n    print(x)', 'Python'],
    ['if r["sum"] == 5 and True:\n    print(f"ok {r}")', 'Python'],
    ['return <div className="x">{1}</div>', 'JSX'],
    ['@log\nclass A {}', 'decorators'],
    ["const s = 'it's broken'\nreturn s", 'other quotes'],
    ['const r = { a: 2 b: 3 }', 'a comma'],
    ['const r = {\nreturn r', 'the "{" at line 1, column 11 is never closed'],
    ['SELECT * FROM users', 'no JavaScript'],
    ['return `a ${1} b', 'the "`" at line 1, column 8 is never closed'],
    ['add two numbers', 'no JavaScript'],
    ["Here's the code to run: const r = 1; return r", 'no JavaScript'],
    ['return import.meta.url', 'no modules'],
    ['return <div>hi</div>', 'JSX'],
    ['const a = 1\nconst a = 2', 'another name'],
  ])('%j has a hint', (source, words) => {
    expect(prepare(source)).toMatchObject({ kind: 'invalid', error: { hint: expect.stringContaining(words) } })
  })

  test('await in a function that is not async is where the error is', () => {
    expect(prepare('const ids = []\nreturn ids.map((id) => await tools.search(id))')).toMatchObject({
      error: { line: 2, column: 24, hint: expect.stringContaining('async (x)') },
    })
  })

  test('line ends of all kinds count as lines', () => {
    expect(prepare('const a = 1\r\nconst b = 2\rreturn )\n')).toMatchObject({ error: { line: 3, column: 8 } })
  })
})

describe('positions', () => {
  test("in the code lead to the same place of the model's text", () => {
    const source = `Text\n${FENCE}ts\nconst r: number = 1; boom(r as any)\n${FENCE}`
    const prepared = ready(source)
    const lines = prepared.code.split('\n')
    const line = lines.findIndex((text) => text.includes('boom'))
    expect(prepared.toSource(line + 1, (lines[line] ?? '').indexOf('boom') + 1)).toEqual({ line: 3, column: 22 })
    expect(prepared.sourceLine(3)).toBe('const r: number = 1; boom(r as any)')
    expect(prepared.sourceLine(99)).toBe('')
  })

  test('far outside lead to its ends', () => {
    const prepared = ready('return 1')
    expect(prepared.toSource(99, 99)).toEqual({ line: 1, column: 9 })
    expect(prepared.toSource(-5, -5)).toEqual({ line: 1, column: 1 })
  })
})

describe('bad input', () => {
  test.each([[undefined], [null], [5], [''], ['  \n'], [[]], [{}], [{ text: 'x' }], [true]])(
    '%j is refused with an example',
    (source) => {
      expect(prepare(source)).toMatchObject({
        kind: 'invalid',
        error: { code: 'program-error', message: expect.stringContaining('tools.search') },
      })
    },
  )

  test('too large a source says which limit and what was used', () => {
    expect(prepareProgram('é'.repeat(60), { sourceBytes: 100 })).toMatchObject({
      kind: 'invalid',
      error: { code: 'limit', message: expect.stringMatching(/120 bytes, more than 100/) },
    })
  })

  const K = 100_000
  test.each<[string, string]>([
    ['brackets', '('.repeat(K) + ')'.repeat(K)],
    ['lists', '['.repeat(K)],
    ['objects', '({a:'.repeat(K / 2)],
    ['blocks', '{'.repeat(K) + '}'.repeat(K)],
    ['functions', 'a=>'.repeat(K / 2)],
    ['templates', '`${'.repeat(K / 2)],
    ['signs', `return ${'-'.repeat(K)}1`],
    ['sums', `return ${'1+'.repeat(K)}1`],
    ['calls', 'f();'.repeat(K / 2)],
    ['calls in calls', `return ${'f('.repeat(K / 2)}1${')'.repeat(K / 2)}`],
    ['numbers', `return [${'1,'.repeat(K)}]`],
    ['lists that are nearly JSON', `[{'a':${'['.repeat(K / 2)}`],
    ['objects in objects that are nearly JSON', `${"{'input':".repeat(K / 10)}1${'}'.repeat(K / 10)}`],
    ['comments of another language', '# a\n'.repeat(K / 8)],
    ['numbers in front of lines', Array.from({ length: K / 10 }, (_, at) => `${at}: (`).join('\n')],
    ['lines of a diff', '+ (\n'.repeat(K / 4)],
    ['prompts', '>>> (\n'.repeat(K / 6)],
    ['JSON that is cut off', `{ "code": "${'\\\\'.repeat(K / 2)}`],
    ['dots', `f(${'...'.repeat(K / 3)}`],
    ['conditions that stay open', 'if ('.repeat(K / 4)],
    ['entities escaped again', `${'&amp;'.repeat(K / 5)}gt;`],
    ['promises as conditions', 'if (!tools.a.b.c('.repeat(K / 16)],
    ['namespaces in namespaces', `${'namespace a{'.repeat(K / 16)}${'}'.repeat(K / 16)}`],
    ['comments with ends of lines in them', `// ${'\\n'.repeat(K / 2)}`],
    ['lines of comment above nearly JSON', `${'//\n'.repeat(K / 4)}[{'a': 1}]`],
    ['types', `let x: ${'A<'.repeat(K / 2)}`],
    ['generic calls', `x = ${'a<b>('.repeat(K / 10)}`],
    ['generic arrows', `x = ${'<T>('.repeat(K / 10)}`],
    ['conditional arrows', `x = ${'a?(b)=>('.repeat(K / 10)}`],
    ['unions', `let x: a${'|a'.repeat(K)}`],
    ['names', `let a${Array.from({ length: 40_000 }, (_, index) => `,a${index.toString(36)}`).join('')}`],
    ['named groups', `/${'(?:(?<a>x)|'.repeat(20_000)}/`],
    ['the name of the language and spaces', `js${' '.repeat(K)}x`],
    ['an object with a program and spaces', `{code:"a"${' '.repeat(K)}x`],
    ['a call of the tool and spaces', `tool_search_code("a"${' '.repeat(K)}x`],
    ['lines that go on', `let a = b${'\n(a)'.repeat(K / 20)}`],
    ['line ends behind a name', `a${'\n'.repeat(K)}b`],
    ['quotations', '> a\n'.repeat(K / 8)],
    ['words that may be a sentence', `${'a ' + 'a’’ '.repeat(240)}x{\n`],
    ['lists in lists of JSON', '['.repeat(K / 2) + ']'.repeat(K / 2)],
    ['objects in objects of JSON', '{"input":'.repeat(K / 10) + '1' + '}'.repeat(K / 10)],
    [
      'an enum that counts on',
      `enum E {${Array.from({ length: 3_000 }, (_, index) => `A${index}=A${Math.max(0, index - 1)}+1`).join(',')}}`,
    ],
    ['entities', '&lt;'.repeat(K / 4)],
    ['quotes', '“'.repeat(K / 4)],
    ['fences', `${FENCE}\n`.repeat(K / 8)],
    ['backticks', '`'.repeat(K)],
    ['tildes', `${'~'.repeat(K)}\``],
    ['tags', '<code>'.repeat(K / 8)],
    ['scripts', '<script>'.repeat(K / 8)],
    ['ends of character data', ']]>'.repeat(K / 4)],
    ['JSON', '{"code":'.repeat(K / 16)],
    ['regular expressions', '/['.repeat(K / 4)],
    ['backslashes', '\\n'.repeat(K / 4)],
    ['slashes', '/'.repeat(65_000)],
    ['comments in one line', '/** a *//a/'.repeat(5_900)],
    ['tags that are wrong types, in one line', `${';<tool_call>'.repeat(K / 5)}function `],
    ['ends of comments', '/*'.repeat(K / 4)],
    ['lines', '\n'.repeat(K)],
    ['lines of an open string', `"${'\n'.repeat(2 * K)}`],
    ['lines of an open template', `\`${'\r\n'.repeat(K)}`],
    ['bare returns', 'return;'.repeat(K / 4)],
    ['bare returns in front of a value', `${'return\n'.repeat(K / 4)}5`],
    ['spaces', `a${' '.repeat(K / 2)}b)`],
    ['spaces in front', `${' '.repeat(K)})`],
    ['spaces in front of a dollar', `${' '.repeat(K)}$${' '.repeat(K)})`],
    ['apostrophes', `${'a’'.repeat(K / 4)})`],
    ['catches', 'try{'.repeat(K / 8)],
    ['conditions', 'if(a){b}else '.repeat(K / 16)],
    // Work that grows with the square would take minutes, and so the time that a test may have.
  ])('%s by the ten thousand neither throw nor stall', (_, source) => {
    const prepared = prepare(source)
    expect(['ready', 'invalid']).toContain(prepared.kind)
  })

  test('more words and signs than the gateway has time for are refused, with the way out', () => {
    expect(prepare('f();'.repeat(50_000))).toMatchObject({
      kind: 'invalid',
      error: {
        message: expect.stringMatching(/more than \d+ words and signs/),
        hint: expect.stringContaining('split'),
      },
    })
    expect(prepare(`return [${'12.5,'.repeat(40_000)}].length`).kind).toBe('ready')
  })

  test('a program cannot close the body that it is put into', () => {
    for (const source of [
      '} evil(); {',
      '}); evil(); (async () => {',
      'return 1 } async function x() {',
      '*/ } evil() /*',
      '`} evil()',
    ]) {
      expect(prepare(source).kind).toBe('invalid')
    }
  })
})

describe('properties', () => {
  const pieces = constantFrom(
    'return ', 'await ', '{', '}', '(', ')', 'async () => ', 'export default ', 'function main() {', 'import x from "y"\n', '```js\n', '\n```\n',
    'const a', ': number', ' = ', '1', ';', '\n', '“', '”', '&gt;', '<script>', '</script>', 'module.exports = ', 'tools', '.call', '//', '/*', '*/', '`', '${', 'as ', '"', "'", 'if (a) ', 'else ', 'try ', 'catch ',
  ) // prettier-ignore

  test('whatever the text, it is prepared to something that compiles, or refused', () => {
    assert(
      property(array(pieces, { maxLength: 14 }), (parts) => {
        const prepared = prepare(parts.join(''))
        const compile = (): unknown => (prepared.kind === 'ready' ? parseBody(prepared.code) : undefined)
        expect(compile).not.toThrow()
      }),
      { numRuns: 1_500 },
    )
  })

  test('preparing what was prepared changes nothing', () => {
    assert(
      property(array(pieces, { maxLength: 10 }), (parts) => {
        const once = prepare(parts.join(''))
        const again = once.kind === 'ready' ? prepare(once.code) : once
        expect(again.kind === 'ready' && again.notices.some(({ code }) => code === 'function-called')).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  test('nothing makes it throw', () => {
    assert(
      property(anything(), (source) => {
        expect(['ready', 'invalid']).toContain(prepare(source).kind)
      }),
    )
    assert(
      property(string({ unit: 'binary' }), (source) => {
        expect(['ready', 'invalid']).toContain(prepare(source).kind)
      }),
    )
  })
})

/** Compiles as V8 does; what V8 alone refuses (`await` as a name and the like) is reported by the run. */
function parseBody(code: string): unknown {
  try {
    return Reflect.construct(AsyncFunction, [code])
  } catch (error) {
    if (error instanceof SyntaxError) return error
    throw error
  }
}

const shared = path.resolve(import.meta.dirname, '../../../shared/programs/dev.jsonl')

interface Item {
  readonly id: string
  readonly kind: string
  readonly code: string
  readonly expect: {
    readonly end: string | readonly string[]
    readonly notice?: boolean
    readonly line?: number
    readonly value?: unknown
  }
}

describe.skipIf(!existsSync(shared))('programs as models write them', () => {
  const items = existsSync(shared)
    ? readFileSync(shared, 'utf8')
        .trim()
        .split('\n')
        .map((line): Item => JSON.parse(line))
    : []

  test.each(items.filter(({ expect: wanted }) => [wanted.end].flat().includes('completed')))(
    '$id can run',
    ({ code }) => {
      expect(prepare(code).kind).toBe('ready')
    },
  )

  test.each(items.filter(({ kind }) => ['wrap', 'return', 'ts', 'text'].includes(kind)))(
    '$id says what was changed',
    ({ id, code, expect: wanted }) => {
      const isFound = wanted.notice !== true || id === 'return-fire-and-forget' || ready(code).notices.length > 0
      expect(isFound).toBe(true)
    },
  )

  test.each(items.filter(({ kind, expect: wanted }) => ['wrap', 'ts', 'text'].includes(kind) && wanted.value === 5))(
    '$id gives its value',
    async ({ code }) => {
      expect(await run(code)).toBe(5)
    },
  )
})
