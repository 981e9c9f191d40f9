import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { compile } from 'json-schema-to-typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../json.ts'
import { isJsonObject } from '../json.ts'
import { createSchemaChecker } from '../schema.ts'
import { signatureOf } from '../signature.ts'
import { SAMPLE_SCHEMAS } from './testing/sample-schemas.ts'
import { createValueMaker } from './testing/value-maker.ts'

/*
 * What one accepts the other does: for each schema the type of our signature and the type of json-schema-to-typescript
 * are both given to the TypeScript compiler, with the same values (made to fit, and broken in one place each) assigned
 * to both, one a line. Where the two types disagree on a value, ajv is the judge and has to be on our side, every time.
 * Where they agree against ajv (an invalid value that no type can refuse, such as a number out of its bounds, or a valid
 * one that both refuse, because both read a schema without `type` by its other keywords), that is no disagreement; how
 * often both refuse a valid value is bounded.
 * Types are compared as the compiler compares them, so spelling and naming do not matter. Both leave open objects
 * unsaid (`additionalProperties` absent means no index signature), as a signature for a model does.
 */
const VALUES_PER_SCHEMA = 8

interface Case {
  readonly name: string
  readonly schema: JsonObject
  readonly values: readonly JsonValue[]
}

interface Verdicts {
  readonly compared: number
  /** Accepted by our type. */
  readonly accepted: number
  /** Also given to ajv. */
  readonly judged: number
  readonly disagreements: number
  /** Valid values that both types refuse. */
  readonly tooStrict: number
  /** Where ajv is not on our side. */
  readonly lost: readonly string[]
  /** Types that the compiler refuses by themselves. */
  readonly broken: readonly string[]
}

const root = path.resolve(import.meta.dirname, '../..')
const toolsFile = path.resolve(root, '../shared/bench/tools.jsonl')
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'signature-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('signatures against json-schema-to-typescript', () => {
  test('agree on the values of our own sample of schemas, or ajv agrees with us', async () => {
    const schemas = Object.entries(SAMPLE_SCHEMAS)
    expect(schemas.length).toBeGreaterThanOrEqual(60)
    const verdicts = await compare(
      schemas.map(([name, schema]) => aCase(name, schema, 24)),
      'sample',
    )
    expect(verdicts.broken).toEqual([])
    expect(verdicts.lost).toEqual([])
    expectBothAnswers(verdicts)
  })

  test.skipIf(!existsSync(toolsFile))('agree on thousands of schemas of public tools', async () => {
    const lines = readFileSync(toolsFile, 'utf8').trim().split('\n')
    const tools: { id: string; inputSchema: JsonObject }[] = lines.map((line) => JSON.parse(line))
    const picked = tools.filter((_, index) => index % 5 === 0)
    const verdicts = await compare(
      picked.map(({ id, inputSchema }) => aCase(id, inputSchema, VALUES_PER_SCHEMA)),
      'tools',
    )
    expect(verdicts.broken).toEqual([])
    expect(verdicts.lost).toEqual([])
    expect(verdicts.compared).toBeGreaterThan(15_000)
    expect(verdicts.disagreements / verdicts.compared).toBeLessThan(0.02)
    expectBothAnswers(verdicts)
  })
})

/** A comparison in which one answer is rare would say little. */
function expectBothAnswers({ accepted, compared, judged, tooStrict }: Verdicts): void {
  expect(accepted / compared).toBeGreaterThan(0.3)
  expect(accepted / compared).toBeLessThan(0.9)
  expect(judged).toBeGreaterThan(1_000)
  expect(tooStrict / judged).toBeLessThan(0.02)
}

const checker = createSchemaChecker()

function aCase(name: string, schema: JsonObject, count: number): Case {
  const maker = createValueMaker(schema, name.length)
  const values = Array.from({ length: count }, (_, index) => {
    const fitting = maker.fitting()
    return index % 2 === 0 ? fitting : maker.broken(fitting)
  })
  return { name, schema, values }
}

/** Arguments are an object, whatever the schema says. */
function isValidInput(name: string, schema: JsonObject, value: JsonValue): boolean {
  return isJsonObject(value) && checker.validateOutput(schema, name, value).kind === 'valid'
}

/** Lines of one file for the compiler, and what each of them is about. */
interface Page {
  readonly lines: string[]
  readonly about: Map<number, About>
}

interface About {
  readonly kind: 'ours' | 'theirs' | 'value-ours' | 'value-theirs'
  readonly key: string
}

async function compare(cases: readonly Case[], file: string): Promise<Verdicts> {
  const page: Page = { lines: [], about: new Map() }
  for (const [index, { schema }] of cases.entries()) {
    const ours = signatureOf({ name: 'tool', inputSchema: schema }, { maxChars: Infinity })
    write(
      page,
      { kind: 'ours', key: `${index}` },
      `namespace Ours${index} {\ntype Call = ${ours}\nexport type Input = NonNullable<Parameters<Call>[0]>\n}`,
    )
    write(page, { kind: 'theirs', key: `${index}` }, `namespace Theirs${index} {\n${await theirType(schema)}\n}`)
  }
  for (const [index, { values }] of cases.entries()) {
    for (const [at, value] of values.entries()) {
      const text = JSON.stringify(value)
      write(
        page,
        { kind: 'value-ours', key: `${index}.${at}` },
        `export const ours_${index}_${at}: Ours${index}.Input = ${text}`,
      )
      write(
        page,
        { kind: 'value-theirs', key: `${index}.${at}` },
        `export const theirs_${index}_${at}: Theirs${index}.Args = ${text}`,
      )
    }
  }
  return judge(cases, page, await refusedLines(page, file))
}

function write(page: Page, about: About, text: string): void {
  // The compiler counts these as ends of lines too, and the other type's comments may hold them.
  for (const line of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    page.lines.push(line)
    page.about.set(page.lines.length, about)
  }
}

async function theirType(schema: JsonObject): Promise<string> {
  // The root's title would name the type; its own copy because the library writes into what it is given.
  const { title: _title, $id: _id, ...rest } = structuredClone(schema)
  return await compile({ ...rest }, 'Args', {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    ignoreMinAndMaxItems: false,
    unknownAny: true,
    unreachableDefinitions: false,
  })
}

async function refusedLines(page: Page, name: string): Promise<ReadonlyMap<number, string>> {
  const file = path.join(folder, `${name}.ts`)
  await writeFile(file, `${page.lines.join('\n')}\n`)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'esnext',
    module: 'esnext',
    types: [],
    skipLibCheck: true,
  }
  await writeFile(path.join(folder, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }))
  const output = await compilerOutput(path.join(folder, `${name}.json`))
  const refused = new Map<number, string>()
  for (const [, line, message] of output.matchAll(/^\S+\.ts\((\d+),\d+\): error (.*)$/gm)) {
    refused.set(Number(line), message ?? '')
  }
  return refused
}

async function compilerOutput(project: string): Promise<string> {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', project, '--pretty', 'false'], {
      maxBuffer: 1e9,
    })
    return stdout
  } catch (error) {
    // The compiler ends with 1 or 2 when it refuses a line, which is what it is asked for.
    if (error instanceof Error && 'stdout' in error && typeof error.stdout === 'string' && error.stdout !== '')
      return error.stdout
    throw error
  }
}

function judge(cases: readonly Case[], page: Page, refused: ReadonlyMap<number, string>): Verdicts {
  const refusedBy = { ours: new Set<string>(), theirs: new Set<string>() }
  const broken: string[] = []
  const unusable = new Set<string>()
  for (const [line, message] of refused) {
    const about = page.about.get(line)
    if (about?.kind === 'ours') broken.push(`${cases[Number(about.key)]?.name}: ${page.lines[line - 1]} -- ${message}`)
    if (about?.kind === 'theirs') unusable.add(about.key)
    if (about?.kind === 'value-ours') refusedBy.ours.add(about.key)
    if (about?.kind === 'value-theirs') refusedBy.theirs.add(about.key)
  }
  const lost: string[] = []
  let compared = 0
  let accepted = 0
  let judged = 0
  let disagreements = 0
  let tooStrict = 0
  // Ajv compiles each schema that it judges, which takes most of the time: of thousands, each tenth and all disputed.
  const stride = cases.length > 500 ? 10 : 1
  for (const [index, { name, schema, values }] of cases.entries()) {
    if (unusable.has(`${index}`)) continue
    for (const [at, value] of values.entries()) {
      const key = `${index}.${at}`
      const [isOurs, isTheirs] = [!refusedBy.ours.has(key), !refusedBy.theirs.has(key)]
      compared += 1
      if (isOurs) accepted += 1
      if (isOurs !== isTheirs) disagreements += 1
      if (isOurs === isTheirs && index % stride !== 0) continue
      const isValid = isValidInput(name, schema, value)
      judged += 1
      if (isValid && !isOurs && !isTheirs) tooStrict += 1
      if (isOurs !== isTheirs && isOurs !== isValid)
        lost.push(`${name}: ${isOurs ? 'accepts' : 'refuses'} ${JSON.stringify(value)}`)
    }
  }
  return { compared, accepted, judged, disagreements, tooStrict, lost, broken }
}
