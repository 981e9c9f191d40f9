import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { AddressGuardOptions } from './address-guard.ts'
import { createAddressGuard } from './address-guard.ts'

const guard = (options: Partial<AddressGuardOptions> = {}) =>
  createAddressGuard({ configuredHost: 'tools.example.com', allowPrivateAddresses: false, forbidden: [], ...options })

test.each([
  '169.254.169.254',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '100.100.100.200',
  '0.0.0.0',
  '[::]',
  '224.0.0.1',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
])('%s is refused whatever is allowed', (host) => {
  const lenient = guard({ allowPrivateAddresses: true, configuredHost: 'localhost' })
  expect(() => lenient.checkHost(host)).toThrow('is forbidden')
})

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.1',
  '[::1]',
  '[fc00::1]',
  '[::ffff:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[::ffff:192.168.1.5]',
])('%s is refused unless private addresses are allowed', (host) => {
  expect(() => guard().checkHost(host)).toThrow('is private')
  expect(() => guard({ allowPrivateAddresses: true }).checkHost(host)).not.toThrow()
})

/** Ways to write 169.254.169.254, or to get to it through a translator or a tunnel. */
const METADATA = [
  '2852039166',
  '0xa9fea9fe',
  '0xA9.0xFE.0xA9.0xFE',
  '0251.0376.0251.0376',
  '169.254.43518',
  '169.16689662',
  '169.254.169.254.',
  '[::ffff:169.254.169.254]',
  '[0:0:0:0:0:FFFF:A9FE:A9FE]',
  '[::169.254.169.254]',
  '[::ffff:0:169.254.169.254]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b::a9fe:a9fe%eth0]',
  '[64:ff9b:1::169.254.169.254]',
  '[64:ff9b:1:a9fe:a9:fe00::]',
  '[64:ff9b:1:a9:fe:a9fe::]',
  '[64:ff9b:1:ab:a9:fea9:fe00:0]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:102:304::5601:5601]',
  '[2001:0:a9fe:a9fe::fefd:fcfb]',
  '[2606:4700::5efe:169.254.169.254]',
  '[2606:4700::200:5efe:a9fe:a9fe]',
  '[fe80::1%25eth0]',
  'fe80::1%eth0',
  '[FE80:0:0:0::1]',
]

test.each(METADATA)('%s is refused like the address that it stands for, whatever is allowed', async (host) => {
  const lenient = guard({ allowPrivateAddresses: true, configuredHost: host })
  expect(() => lenient.checkHost(host)).toThrow('is forbidden')
  const url = URL.parse(`http://${host}/`)
  if (url !== null) expect(() => lenient.checkHost(url.hostname)).toThrow('is forbidden')
})

test.each([
  ['2130706433', true],
  ['0x7f.1', true],
  ['0177.0.0.01', true],
  ['127.1', true],
  ['127.0.0.1.', true],
  ['[::ffff:7f00:1]', true],
  ['[::1%eth0]', true],
  ['localhost', true],
  ['LOCALHOST.', true],
  ['tools.localhost', true],
  ['[64:ff9b::127.0.0.1]', false],
  ['[64:ff9b:1::10.0.0.5]', false],
  ['[64:ff9b:1::8.8.8.8]', false],
  ['[2002:7f00:1::1]', false],
  ['[2001:0:102:304::80ff:fffe]', false],
  ['[::127.0.0.1]', false],
  ['[fec0::1]', false],
])('%s is as private as what it stands for, and meant by a url that names localhost: %s', (host, isMeant) => {
  expect(() => guard().checkHost(host)).toThrow('set allowPrivateAddresses')
  expect(() => guard({ allowPrivateAddresses: true }).checkHost(host)).not.toThrow()
  const local = guard({ configuredHost: 'localhost.' })
  if (isMeant) expect(() => local.checkHost(host)).not.toThrow()
  else expect(() => local.checkHost(host)).toThrow('is private')
})

test.each([
  '[64:ff9b::8.8.8.8]',
  '[2002:808:808::1]',
  '[::ffff:8.8.8.8]',
  '134744072',
  'example.com.',
  'localhost.example',
])('%s leads to what is public and passes', (host) => expect(() => guard().checkHost(host)).not.toThrow())

test('what the operator forbids is refused in every form', () => {
  const strict = guard({ allowPrivateAddresses: true, forbidden: ['10.0.0.0/8', '::ffff:172.16.0.0/108'] })
  for (const host of ['10.1.2.3', '[::ffff:10.1.2.3]', '[64:ff9b::10.1.2.3]', '[2002:a01:203::]', '167838211']) {
    expect(() => strict.checkHost(host)).toThrow('is forbidden')
  }
  expect(() => strict.checkHost('[::ffff:172.16.0.1]')).toThrow('is forbidden')
})

test.each(['8.8.8.8', '[2606:4700::1111]', 'tools.example.com'])('%s passes', (host) => {
  expect(() => guard().checkHost(host)).not.toThrow()
})

test.each([
  ['localhost', '127.0.0.1'],
  ['tools.localhost', '[::1]'],
  ['127.0.0.1', '127.0.0.2'],
  ['[::1]', '[::1]'],
  ['192.168.1.5', '192.168.1.5'],
  ['192.168.1.5', '[::ffff:192.168.1.5]'],
  ['[::ffff:192.168.1.5]', '192.168.1.5'],
])('a url that names %s itself means %s', (host, address) => {
  expect(() => guard({ configuredHost: host }).checkHost(address)).not.toThrow()
})

test.each([
  ['localhost', '192.168.1.5'],
  ['127.0.0.1', '10.0.0.1'],
  ['192.168.1.5', '192.168.1.6'],
  ['192.168.1.5', '127.0.0.1'],
])('a url that names %s does not mean %s', (host, address) => {
  expect(() => guard({ configuredHost: host }).checkHost(address)).toThrow('is private')
})

test('an address that the operator forbids is refused although its kind is allowed', () => {
  const strict = guard({ configuredHost: 'localhost', forbidden: ['127.0.0.2', '10.0.0.0/8'] })
  expect(() => strict.checkHost('127.0.0.2')).toThrow('is forbidden')
  expect(() => strict.checkHost('10.9.9.9')).toThrow('is forbidden')
  expect(() => strict.checkHost('127.0.0.1')).not.toThrow()
})

test('a public name that resolves to a private address is refused at the moment of connecting', async () => {
  const lookup = promisify(guard().lookup)
  await expect(lookup('localhost', {})).rejects.toThrow('host "localhost": address')
})
