import { isIPv6 } from 'node:net'

/** What is counted as one sender: an IPv4 address, or the /64 of an IPv6 one, which is what a household gets. */
export function addressKey(address: string): string {
  const plain = address.replace(/%.*$/, '').toLowerCase()
  const mapped = /^(?:::ffff:)(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...after]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
