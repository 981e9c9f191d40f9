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
])('%s is refused unless private addresses are allowed', (host) => {
  expect(() => guard().checkHost(host)).toThrow('is private')
  expect(() => guard({ allowPrivateAddresses: true }).checkHost(host)).not.toThrow()
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
