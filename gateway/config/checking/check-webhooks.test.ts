import { expect, test } from 'vitest'
import { readConfig } from '../read-config.ts'

const secret = `whsec_${'QUFB'.repeat(8)}`

test.each([
  ['http://169.254.169.254/latest', 'cannot be a receiver: address 169.254.169.254 is forbidden'],
  ['http://[fe80::1]/x', 'cannot be a receiver: address fe80::1 is forbidden'],
  ['https://ada:secret@hooks.example/x', 'has a user or password in it; the signature is what a receiver checks'],
  ['http://host:notaport/', 'is not an address that can be parsed; check host and port'],
])('a receiver at %s is refused', async (url, message) => {
  expect(await problemsOf([{ url, secret }])).toEqual([message])
})

test('local and private receivers are meant when they are written down; one address stands once', async () => {
  expect(
    await problemsOf([
      { url: 'http://127.0.0.1:9000/hook', secret },
      { url: 'http://10.0.0.7/hook', secret },
    ]),
  ).toEqual([])
  const url = 'https://hooks.example/x'
  expect(
    await problemsOf([
      { url, secret },
      { url, secret },
    ]),
  ).toEqual(['stands in another entry already; name its events there'])
})

test.each(['whsec_hunter2', 'whsec_hunter2hunter2hunter2hunter2!', 'hunter2'])(
  'a secret that cannot sign, or is too short, is refused without being shown: %s',
  async (secret) => {
    const [problem = ''] = await problemsOf([{ url: 'https://hooks.example/x', secret }])
    expect(problem).toContain('"whsec_" and base64 of 24 bytes or more')
    expect(problem).not.toContain('hunter2')
    expect(await problemsOf([{ url: 'https://hooks.example/x', secret: `in words: ${secret}` }])).toEqual([])
  },
)

async function problemsOf(webhooks: readonly object[]): Promise<readonly string[]> {
  const read = await readConfig(JSON.stringify({ approvals: { webhooks } }), { env: {}, directory: '/' })
  return read.kind === 'invalid' ? read.problems.map(({ message }) => message) : []
}
