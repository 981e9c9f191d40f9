import { lookup as resolveName } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { BlockList, isIP } from 'node:net'
import { McpConnectError } from '../../errors.ts'
import { embeddedIpv4, mappedIpv4, plainHost } from './address-forms.ts'

export interface AddressGuardOptions {
  /** The host of the configured URL: a private address that stands there itself is meant so, and `localhost` any of its own. */
  readonly configuredHost: string
  readonly allowPrivateAddresses: boolean
  /** Further addresses or subnets (`10.1.0.0/16`) that are never connected to. */
  readonly forbidden: readonly string[]
}

export interface AddressGuard {
  /** @throws {McpConnectError} when the host is an address that may not be connected to */
  checkHost(host: string): void
  /** Resolves for `net.connect`: the address that was checked is the one that is connected to. */
  readonly lookup: LookupFunction
}

/** Never a tool server: link-local (cloud metadata among them), unspecified, multicast, reserved. */
const NEVER = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  // Metadata services outside link-local: AWS and Google over IPv6, Alibaba, Azure's wire server, Oracle.
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
]

/** Private by RFC 1918, 3879, 4193, 6598, 8215 and loopback. */
const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '::1',
  'fc00::/7',
  'fec0::/10',
  '64:ff9b:1::/48',
]

const LOOPBACK = ['127.0.0.0/8', '::1']

export function createAddressGuard(options: AddressGuardOptions): AddressGuard {
  const never = blockList([...NEVER, ...options.forbidden])
  const local = blockList(PRIVATE)
  const loopback = blockList(LOOPBACK)
  const configured = ownForm(plainHost(options.configuredHost))
  const isLoopbackMeant = isLocalName(configured) || (isIP(configured) !== 0 && isIn(loopback, configured))

  /** Whoever wrote this address, or "localhost", meant it; nothing else of the same network. */
  const isMeant = (address: string): boolean => address === configured || (isLoopbackMeant && isIn(loopback, address))

  function fault(address: string): string | undefined {
    const plain = plainHost(address)
    const own = ownForm(plain)
    const inside = embeddedIpv4(plain)
    const refused = [plain, own, ...inside].find((each) => isIn(never, each))
    if (refused !== undefined) return `address ${address}${standingFor(refused, plain)} is forbidden`
    if (options.allowPrivateAddresses) return undefined
    // A way through a translator or tunnel is none that anybody means.
    const hidden = inside.filter((each) => each !== own).find((each) => isIn(local, each))
    const found = hidden ?? (isIn(local, own) && !isMeant(own) ? own : undefined)
    if (found === undefined) return undefined
    const what = `address ${address}${standingFor(found, plain)} is private`
    return `${what}; set allowPrivateAddresses if the server is meant to be there`
  }

  function hostFault(host: string): string | undefined {
    const plain = plainHost(host)
    if (isIP(plain) !== 0) return fault(plain)
    // Names of this machine by RFC 6761; nobody has to be asked what they lead to.
    const isMeantName = options.allowPrivateAddresses || isLoopbackMeant
    return isLocalName(plain) && !isMeantName
      ? `host "${plain}" is this machine; set allowPrivateAddresses if the server is meant to be there`
      : undefined
  }

  return {
    checkHost(host) {
      const found = hostFault(host)
      if (found !== undefined) throw new McpConnectError('forbidden-address', found)
    },
    lookup(hostname, lookupOptions, callback) {
      resolveName(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
        if (error !== null) {
          callback(error, [])
          return
        }
        const allowed = addresses.filter(({ address }) => fault(address) === undefined)
        const [first] = allowed
        if (first === undefined) {
          const reasons = addresses.map(({ address }) => fault(address)).join('; ')
          callback(new McpConnectError('forbidden-address', `host "${hostname}": ${reasons}`), [])
        } else if (lookupOptions.all === true) callback(null, allowed)
        else callback(null, first.address, first.family)
      })
    },
  }
}

function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** An IPv4 address that is written as an IPv6 one is that address. */
function ownForm(address: string): string {
  return mappedIpv4(address) ?? address
}

function standingFor(found: string, written: string): string {
  return found === written ? '' : ` (it leads to ${found})`
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}
