import { expect, test } from 'vitest'
import { prepareProgram } from '../prepare-program.ts'

const messageOf = (source: string): string => {
  const prepared = prepareProgram(source, { sourceBytes: 10_000 })
  return prepared.kind === 'invalid' ? prepared.error.message : 'it runs'
}

test.each([
  ['async function greet(name) {\n  return await tools.echo.say({ text: `Hello ${name}` })\n}', 'a function of name,'],
  ['async (query) => await tools.search(query)', 'a function of query,'],
  ['export default async function ({ city, days }) {\n  return await tools.a.b({ city, days })\n}', 'of city, days,'],
  ['const sumOf = async (a, b) => tools.math.add({ a, b })', 'of a, b,'],
  ['export async function POST(request) {\n  const { a } = await request.json()\n  return a\n}', 'of request,'],
  ['const program = { async run(input) { return tools.a.b({ x: input.x }) } }', 'of input,'],
  ['class Greeter {\n  async run(name) { return tools.a.b({ name }) }\n}', 'of name,'],
])('a function that needs what nobody gives it is not called: %s', (source, words) => {
  expect(messageOf(source)).toContain(words)
  expect(messageOf(source)).toContain('nothing was called')
  expect(messageOf(source)).toContain('write the values into it')
})

test.each([
  'export const handler = async (event, context) => (await tools.math.add({ a: 2, b: 3 })).sum',
  "async function greet(name = 'Ann') { return tools.echo.say({ text: name }) }",
  "async function greet(name) { return tools.echo.say({ text: name ?? 'Ann' }) }",
  "async function greet(input) { return tools.echo.say({ text: input?.name ?? 'Ann' }) }",
  'async function run(options) { if (!options) options = { a: 1 }\n  return tools.a.b(options) }',
  'async function run({ tools, console }) { console.log(1); return tools.a.b({}) }',
  'async (client) => await client.search("x")',
  'async function run(ctx) { return ctx.tools.a.b({}) }',
  'async function run(data) { return tools.a.b({ data: 1, x: tools.data }) }',
])('a function that does without is called: %s', (source) => {
  expect(messageOf(source)).toBe('it runs')
})

test('a function that the program calls itself is none of these', () => {
  expect(messageOf("async function greet(name) { return name }\nreturn await greet('Ann')")).toBe('it runs')
  expect(messageOf("async function greet(name) { return name }\ngreet('Ann')")).toBe('it runs')
})
