import { expect, test } from 'vitest'
import { cliUnderTest } from '../../testing/cli-under-test.ts'

const WAITING = {
  id: 'apr_1',
  state: 'pending',
  agent: 'default',
  toolId: 'plugin:demo:refund_payment',
  title: 'Refund payment\u001b[31m',
  description: '',
  input: { amount_cents: 100 },
  cause: { by: 'default', where: 'tools.approvals' },
  expiresMs: 126_000,
}

test('pending shows what waits, for how long, by whom it is asked, and how to decide', async () => {
  const cli = await cliUnderTest({ answers: [{ body: { approvals: [WAITING] } }, { body: { approvals: [] } }] })
  const shown = await cli.run('approvals', 'pending')
  expect(shown.stdout).toBe(
    [
      'apr_1  plugin:demo:refund_payment  agent default  2 min left',
      '    Refund payment (asked by tools.approvals)',
      '    {"amount_cents":100}',
      '',
    ].join('\n'),
  )
  expect(shown.stderr).toContain('approvals resolve <id> allow-once|allow-always|deny')
  expect(await cli.run('approvals', 'pending', '--run', 'run_1')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'nothing waits for a decision\n',
  })
  expect(cli.requests.map(({ url }) => new URL(url).search)).toEqual([
    '?state=pending&limit=1000',
    '?state=pending&limit=1000&run=run_1',
  ])
  expect(cli.requests[0]?.headers.get('authorization')).toBe('Bearer db_admin')
})

test('pending says of a sender whether anybody vouched for it', async () => {
  const named = { ...WAITING, channel: 'ops', sender: 'ada\u001b[2J' }
  const rows = [named, { ...named, isVouched: false }, { ...named, isVouched: true }, { ...WAITING, channel: 'ops' }]
  const cli = await cliUnderTest({ answers: [{ body: { approvals: rows } }] })
  const { stdout } = await cli.run('approvals', 'pending')
  expect(stdout.split('\n').filter((line) => line.endsWith(' in ops'))).toEqual([
    '    (claimed) from ada in ops',
    '    (claimed) from ada in ops',
    '    from ada in ops',
    '    (claimed) in ops',
  ])
})

test('calls of one run stand together, under the id that decides them all', async () => {
  const [one, two] = [
    { ...WAITING, runId: 'run_1' },
    { ...WAITING, id: 'apr_2', runId: 'run_1' },
  ]
  const cli = await cliUnderTest({ answers: [{ body: { approvals: [one, { ...WAITING, id: 'apr_3' }, two] } }] })
  const lines = (await cli.run('approvals', 'pending')).stdout.split('\n').filter((line) => /^\S/.test(line))
  expect(lines.map((line) => line.split('  ', 2).join('  '))).toEqual([
    'run_1  2 calls; its id decides them all',
    'apr_1  plugin:demo:refund_payment',
    'apr_2  plugin:demo:refund_payment',
    'apr_3  plugin:demo:refund_payment',
  ])
})

test('resolve sends the decision with all that narrows it', async () => {
  const cli = await cliUnderTest({ answers: [{ body: { ...WAITING, state: 'allowed-always' } }] })
  const schema = '{ properties: { amount_cents: { maximum: 5000 } } }'
  const until = '2099-01-01T00:00:00Z'
  const flags = ['--reason', 'agreed', '--until', until, '--args', schema]
  const { stdout, exitCode } = await cli.run('approvals', 'resolve', 'apr_1', 'allow-always', ...flags)
  expect([exitCode, stdout]).toEqual([0, 'apr_1 is allowed-always: plugin:demo:refund_payment\n'])
  expect(cli.requests[0]).toMatchObject({
    method: 'POST',
    url: 'http://127.0.0.1:8790/v1/approvals/apr_1/decision',
    body: {
      decision: 'allow-always',
      reason: 'agreed',
      until: '2099-01-01T00:00:00Z',
      args: { properties: { amount_cents: { maximum: 5000 } } },
    },
  })
})

test('who was too late is told what was decided, and fails', async () => {
  const error = { message: 'approval "apr_1" is denied by tok_2', type: 'conflict_error', code: 'conflict' }
  const body = { error, approval: { ...WAITING, state: 'denied' } }
  const answers = [
    { status: 409, body },
    { status: 409, body },
  ]
  const cli = await cliUnderTest({ answers })
  expect(await cli.run('approvals', 'resolve', 'apr_1', 'deny')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'error: approval "apr_1" is denied by tok_2\n',
  })
  const { stderr } = await cli.run('approvals', 'resolve', 'apr_1', 'deny', '--json')
  expect(JSON.parse(stderr).error).toMatchObject({ status: 409, code: 'conflict', approval: { state: 'denied' } })
})

test('all that waits in a run is decided at once', async () => {
  const decided = { id: 'apr_1', result: 'decided', approval: { ...WAITING, state: 'denied' } }
  const late = { id: 'apr_2', result: 'conflict', message: 'approval "apr_2" is expired' }
  const cli = await cliUnderTest({ answers: [{ body: { results: [decided, late] } }, { body: { results: [] } }] })
  const { stdout, stderr, exitCode } = await cli.run('approvals', 'resolve', 'run_1', 'deny')
  expect(stdout).toBe('apr_1 is denied: plugin:demo:refund_payment\napproval "apr_2" is expired\n')
  expect([exitCode, stderr]).toEqual([1, 'error: 1 of 2 were not decided by this\n'])
  expect(cli.requests[0]?.body).toEqual({ run: 'run_1', decision: 'deny' })
  expect((await cli.run('approvals', 'resolve', 'run_1', 'deny')).stderr).toContain(
    'nothing waits for a decision in run',
  )
})

test.each([
  [['resolve', 'apr_1', 'yes'], 'Allowed choices are allow-once, allow-always, deny'],
  [['resolve', 'apr_1'], "missing required argument 'decision'"],
  [['resolve', 'apr_1', 'allow-always', '--args', '[1]'], 'expected a JSON Schema as an object'],
  [['approve', 'apr_1', 'name'], 'is no field=value'],
  [['approve', 'apr_1', '--answer', '[1]'], 'expected an object of the fields'],
])('asked wrongly, it ends with 2 and says what is right: %j', async (argv, message) => {
  const cli = await cliUnderTest({ answers: [] })
  const { exitCode, stderr } = await cli.run('approvals', ...argv)
  expect([exitCode, cli.requests]).toEqual([2, []])
  expect(stderr).toContain(message)
})

const FORM = {
  ...WAITING,
  toolId: 'mcp:travel:book',
  title: 'book of travel asks',
  question: {
    kind: 'form',
    asker: 'MCP server "travel"',
    fields: [
      { name: 'name', type: 'text', isRequired: true, title: 'Full\u001b[31m name', min: 2 },
      { name: 'age', type: 'integer', isRequired: true, min: 0, max: 150 },
      {
        name: 'seat',
        type: 'choice',
        isRequired: false,
        choices: [{ value: 'w', title: 'Window' }, { value: 'a' }],
        default: 'w',
      },
    ],
  },
}

test('list and show print the fields that a tool asks for, and how they are given', async () => {
  const cli = await cliUnderTest({ answers: [{ body: { approvals: [FORM] } }, { body: FORM }] })
  const lines = [
    'MCP server "travel" asks for:',
    '  name: text from 2 characters, required (Full name)',
    '  age: whole number from 0 to 150, required',
    '  seat: one of w (Window) | a, default "w"',
    'answer by: drawbridge approvals approve apr_1 name=… age=…',
  ]
  const { stdout } = await cli.run('approvals', 'list')
  expect(stdout).toContain(lines.map((line) => `    ${line}\n`).join(''))
  const shown = await cli.run('approvals', 'show', 'apr_1')
  expect(JSON.parse(shown.stdout)).toMatchObject({ question: { fields: [{ name: 'name' }, {}, {}] } })
  expect(shown.stderr).toBe(lines.map((line) => `${line}\n`).join(''))
})

test('an address to be opened is shown whole, and a request for a model with its bound', async () => {
  const url = `https://bank.example/${'x'.repeat(2_000)}`
  const link = { ...WAITING, question: { kind: 'url', asker: 'MCP server "bank"', url, host: 'bank.example' } }
  const sample = {
    ...WAITING,
    question: { kind: 'sample', asker: 'MCP server "bank"', model: 'openai/gpt', maxTokens: 9 },
  }
  const cli = await cliUnderTest({ answers: [{ body: { approvals: [link, sample] } }] })
  const { stdout } = await cli.run('approvals', 'pending')
  expect(stdout).toContain(`wants a page of bank.example to be opened:\n      ${url}\n`)
  expect(stdout).toContain('asks the model openai/gpt for an answer of at most 9 tokens')
})

test.each([
  [['approve', 'apr_1'], { decision: 'allow-once' }],
  [['approve', 'apr_1', 'name=Ada Lovelace', 'note=a=b'], { answer: { name: 'Ada Lovelace', note: 'a=b' } }],
  [['approve', 'apr_1', '--answer', '{"name":"Ada","age":36}'], { answer: { name: 'Ada', age: 36 } }],
  [['approve', 'apr_1', '--answer', '{name:"Ada"}', 'age=36'], { answer: { name: 'Ada', age: '36' } }],
  [['resolve', 'apr_1', 'allow-once', '--answer', '{name:"Ada"}'], { answer: { name: 'Ada' } }],
  [['deny', 'apr_1', '--reason', 'not now'], { decision: 'deny', reason: 'not now' }],
])('%j sends %j', async (argv, body) => {
  const cli = await cliUnderTest({ answers: [{ body: { ...FORM, state: 'allowed-once' } }] })
  expect((await cli.run('approvals', ...argv)).exitCode).toBe(0)
  expect(cli.requests[0]).toMatchObject({ url: 'http://127.0.0.1:8790/v1/approvals/apr_1/decision', body })
})

test('grants are listed with what they cover, and revoked', async () => {
  const grant = {
    id: 'gr_1',
    state: 'active',
    toolId: 'plugin:demo:refund_payment',
    agent: 'default',
    grantedBy: 'tok_1',
    createdMs: 0,
    untilMs: 86_400_000,
    args: { properties: {} },
  }
  const cli = await cliUnderTest({ answers: [{ body: { grants: [grant] } }, { body: { ...grant, state: 'revoked' } }] })
  expect((await cli.run('approvals', 'grants', 'list')).stdout).toBe(
    `gr_1  active  plugin:demo:refund_payment  agent default  by tok_1  since 1970-01-01T00:00:00.000Z  until 1970-01-02T00:00:00.000Z
    where {"properties":{}}
`,
  )
  expect((await cli.run('approvals', 'grants', 'revoke', 'gr_1')).stdout).toBe(
    'gr_1 is revoked: plugin:demo:refund_payment\n',
  )
  expect(cli.requests[1]).toMatchObject({ method: 'DELETE', url: 'http://127.0.0.1:8790/v1/grants/gr_1' })
})

test('show prints everything about one', async () => {
  const cli = await cliUnderTest({
    answers: [{ body: WAITING }, { status: 404, body: { error: { message: 'none' } } }],
  })
  const { stdout } = await cli.run('approvals', 'show', 'apr_1')
  expect(stdout).not.toContain('\u001b')
  expect(JSON.parse(stdout)).toMatchObject({ id: 'apr_1', input: { amount_cents: 100 } })
  expect((await cli.run('approvals', 'show', 'apr_2')).exitCode).toBe(1)
})
