import { isIP } from 'node:net'

/**
 * A host as it is connected to: an address in its plain form, whatever form it was written in (`0x7f.1`, `2130706433`,
 * `127.0.0.1.`, `[::1%eth0]`), or a name in lower case without the dot that may end it.
 */
export function plainHost(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '').replace(/%.*$/s, '')
  if (isIP(bare) === 6) return plainIpv6(bare)
  // The rules of URLs read every form of an IPv4 address that resolvers take.
  const read = URL.parse(`http://${bare}/`)?.hostname ?? bare
  return read.toLowerCase().replace(/\.+$/, '')
}

/** The IPv4 addresses that an IPv6 address leads to, through a mapping, a translator or a tunnel; none for any other. */
export function embeddedIpv4(address: string): readonly string[] {
  const bytes = ipv6Bytes(address)
  if (bytes === undefined) return []
  return FORMS.flatMap(({ prefix, read }) => (startsWith(bytes, prefix) ? read(bytes) : [])).map((four) =>
    four.join('.'),
  )
}

/** Whether an address is another way to write the IPv4 one, and leads through nothing else. */
export function mappedIpv4(address: string): string | undefined {
  const bytes = ipv6Bytes(address)
  return bytes !== undefined && startsWith(bytes, MAPPED) ? bytes.slice(12).join('.') : undefined
}

interface Form {
  readonly prefix: readonly number[]
  readonly read: (bytes: readonly number[]) => readonly (readonly number[])[]
}

const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0)
const MAPPED = [...zeros(10), 0xff, 0xff]
const last = (bytes: readonly number[]): readonly number[] => bytes.slice(12)
/** RFC 6052: behind a prefix of 48, 56 or 64 bits the address goes around the byte that has to be zero. */
const around = (bytes: readonly number[], from: number): readonly number[] =>
  bytes.slice(from, from + 5).filter((_byte, at) => from + at !== 8)

const FORMS: readonly Form[] = [
  { prefix: MAPPED, read: (bytes) => [last(bytes)] },
  // Compatible (RFC 4291) and translated (RFC 2765); `::` and `::1` are themselves.
  { prefix: zeros(12), read: (bytes) => (bytes[12] === 0 && bytes[13] === 0 && bytes[14] === 0 ? [] : [last(bytes)]) },
  { prefix: [...zeros(8), 0xff, 0xff, 0, 0], read: (bytes) => [last(bytes)] },
  // NAT64 (RFC 6052), and the prefix for local use (RFC 8215), in which every length may be chosen.
  { prefix: [0, 0x64, 0xff, 0x9b, ...zeros(8)], read: (bytes) => [last(bytes)] },
  {
    prefix: [0, 0x64, 0xff, 0x9b, 0, 1],
    // A length that was not chosen reads nothing but zeros at first.
    read: (bytes) =>
      [around(bytes, 6), around(bytes, 7), bytes.slice(9, 13), last(bytes)].filter(([first]) => first !== 0),
  },
  // 6to4 (RFC 3056).
  { prefix: [0x20, 0x02], read: (bytes) => [bytes.slice(2, 6)] },
  // Teredo (RFC 4380): its server, and the client with all bits turned around.
  { prefix: [0x20, 0x01, 0, 0], read: (bytes) => [bytes.slice(4, 8), last(bytes).map((byte) => byte ^ 0xff)] },
  // ISATAP (RFC 5214): in the last half, whatever network is in the first.
  { prefix: [], read: (bytes) => (isIsatap(bytes) ? [last(bytes)] : []) },
]

function isIsatap(bytes: readonly number[]): boolean {
  const [first = 0] = bytes.slice(8)
  return (first & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe
}

function startsWith(bytes: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((byte, at) => bytes[at] === byte)
}

function ipv6Bytes(address: string): readonly number[] | undefined {
  const bare = address.replace(/%.*$/s, '')
  if (isIP(bare) !== 6) return undefined
  const [head = '', tail] = plainIpv6(bare).split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const groups = [...before, ...zeros(8 - before.length - after.length), ...after]
  return groups.flatMap((group) => [group >> 8, group & 0xff])
}

function groupsOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

/** In hexadecimal groups alone, the longest run of zeros left out. */
function plainIpv6(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1)
}
