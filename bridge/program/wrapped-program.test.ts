import { expect, test } from 'vitest'
import { prepareProgram } from './prepare-program.ts'

// Each way to wrap a program, with each slip of its transport, around every shape of a program: what models do comes
// together as it likes. The shapes go round, so that the pairs are all there and the triples are not.
const FENCE = '```'
const CALL = "(await tools.call('plugin:math:add', { a: 2, b: 3 })).sum"

const SHAPES = [
  `const r = await tools.call('plugin:math:add', { a: 2, b: 3 })\nreturn r.sum`,
  `const r = await tools.call('plugin:math:add', { a: 2, b: 3 });\nr.sum;`,
  `async () => {\n  return ${CALL}\n}`,
  `;(async () => {\n  return ${CALL}\n})();`,
  `async function main() {\n  // add\n  return ${CALL};\n}\n\nmain();`,
  `async function main() {\n  return ${CALL};\n}`,
  `export default async function () {\n  return ${CALL}\n}`,
  `module.exports = async ({ tools }) => {\n  return ${CALL}\n}`,
  `interface R { sum: number }\nconst r: R = await tools.call('plugin:math:add', { a: 2, b: 3 }) as R;\nreturn r.sum;`,
  `enum Id { Add = 'plugin:math:add' }\nreturn (await tools.call(Id.Add, { a: 2, b: 3 })).sum`,
  `const r = ${CALL}\nif (r > 3 && r < 9) {\n  return r\n}\nreturn 0`,
  `import { tools } from 'drawbridge'\nconst xs = [1].map((x) => x)\nreturn xs.length > 0 ? ${CALL} : 0`,
  `const r = ${CALL}\n[r][0]`,
]

const WRAPS: Readonly<Record<string, (program: string) => string>> = {
  nothing: (program) => program,
  'a fence': (program) => `${FENCE}js\n${program}\n${FENCE}`,
  'a fence between sentences': (program) => `Here it is:\n\n${FENCE}ts\n${program}\n${FENCE}\n\nThis adds them.`,
  'a fence that stays open': (program) => `${FENCE}js\n${program}`,
  thoughts: (program) => `<think>\nMath add, by \`tools.call\`.\n</think>\n${program}`,
  'the end of thoughts': (program) => `so we add the numbers\n</think>\n\n${program}`,
  'a sentence in front': (program) => `I'll add the numbers now.\n\n${program}`,
  'a sentence behind': (program) => `${program}\n\nThis returns the sum of both numbers.`,
  'a heading': (program) => `### Program\n\n${program}`,
  JSON: (program) => JSON.stringify({ code: program }, null, 2),
  'a call as JSON': (program) =>
    JSON.stringify({ name: 'tool_search_code', arguments: JSON.stringify({ code: program }) }),
  'a call in tags': (program) => `<tool_call>\n${JSON.stringify({ arguments: { code: program } })}\n</tool_call>`,
  'an argument in tags': (program) => `<invoke name="x">\n<parameter name="code">${program}</parameter>\n</invoke>`,
  'numbers in front of the lines': (program) => marked(program, (index) => `${index + 1}: `),
  'numbers as files are shown with': (program) => marked(program, (index) => `${String(index + 9).padStart(6)}→`),
  'a diff': (program) => `--- a/run.js\n+++ b/run.js\n@@ -1,1 +1,9 @@\n-return 0\n${marked(program, () => '+')}`,
  'prompts of a notebook': (program) => `${marked(program, (index) => `In [${index}]: `)}\nOut[9]: 5`,
  'tags of any name': (program) => `<execute>\n${program}\n</execute>`,
  'a script': (program) => `<script>\n${program}\n</script>`,
  'the name of the language': (program) => `javascript\n${program}`,
  'a quotation': (program) => `> ${program.replaceAll('\n', '\n> ')}`,
  'a message of a chat': (program) => `<|channel|>commentary<|message|>${JSON.stringify({ code: program })}<|call|>`,
  'a line of an agent': (program) => `Thought: add\nAction Input: ${JSON.stringify({ code: program })}`,
  'a call of the tool': (program) => `tool_search_code({ code: ${JSON.stringify(program)} })`,
  YAML: (program) => `code: |\n  ${program.replaceAll('\n', '\n  ')}`,
  'the end of a turn': (program) => `${program}<|im_end|>`,
}

const SLIPS: Readonly<Record<string, (program: string) => string>> = {
  none: (program) => program,
  'line ends of Windows': (program) => program.replaceAll('\n', '\r\n'),
  'typographic quotes': (program) => program.replaceAll(/'([^'\n]*)'/g, '‘$1’'),
  entities: (program) => program.replaceAll('&', '&amp;').replaceAll('>', '&gt;').replaceAll('<', '&lt;'),
  'spaces that do not break': (program) => program.replaceAll('  ', '\u00a0 '),
  'line ends encoded twice': (program) => program.replaceAll('\n', '\\n'),
  'entities escaped again': (program) => program.replaceAll('>', '&amp;gt;').replaceAll('<', '&amp;lt;'),
  'the signs of an address': (program) => encodeURIComponent(program),
}

const cases = Object.entries(WRAPS).flatMap(([wrap, around], row) =>
  Object.entries(SLIPS).map(([slip, spoil], column) => {
    const shapes = [0, 5].map((step) => SHAPES[(row + column * 3 + step) % SHAPES.length] ?? '')
    return [wrap, slip, shapes.map((shape) => around(spoil(shape)))] as const
  }),
)

test.each(cases)('a program in %s, with %s, runs', async (_wrap, _slip, sources) => {
  for (const source of sources) expect({ source, result: await run(source) }).toEqual({ source, result: 5 })
})

async function run(source: string): Promise<unknown> {
  const prepared = prepareProgram(source, { sourceBytes: 10_000 })
  if (prepared.kind === 'invalid') return prepared.error.message
  const AsyncFunction: unknown = Reflect.get(async () => {}, 'constructor')
  if (typeof AsyncFunction !== 'function') throw new Error('no constructor of async functions')
  const tools = { call: async (_id: string, { a, b }: { a: number; b: number }) => ({ sum: a + b }) }
  const program: unknown = Reflect.construct(AsyncFunction, ['tools', prepared.code])
  return typeof program === 'function' ? program(tools) : undefined
}

function marked(program: string, markOf: (index: number) => string): string {
  return program
    .split('\n')
    .map((line, index) => markOf(index) + line)
    .join('\n')
}
