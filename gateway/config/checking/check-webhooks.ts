import { createAddressGuard } from '../../../catalog/sources/mcp/transport/http/address-guard.ts'
import type { Finding } from '../../schema/find-problems.ts'
import type { Config } from '../schema/config-schema.ts'

/** Receivers that could never be reached, or must not be; what a name resolves to is looked at when it is called. */
export function checkWebhooks(webhooks: Config['approvals']['webhooks']): readonly Finding[] {
  return webhooks.flatMap(({ url, secret }, index) => {
    const path = ['approvals', 'webhooks', index]
    const fault = faultOf(url) ?? (webhooks.findIndex((each) => each.url === url) < index ? REPEATED : undefined)
    return [
      ...(fault === undefined ? [] : [{ path: [...path, 'url'], message: fault }]),
      ...(SECRET_FORM.test(secret) ? [] : [{ path: [...path, 'secret'], message: NO_SECRET }]),
    ]
  })
}

/** As the signing of Standard Webhooks wants it; or any text that is not guessed at once. */
const SECRET_FORM =
  /^(?:whsec_(?:[A-Za-z0-9+/]{4}){7,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})|(?!whsec_).{8,})$/su
const NO_SECRET =
  'is none that can sign; expected "whsec_" and base64 of 24 bytes or more, as "openssl rand -base64 32" makes them, or a text of 8 characters or more'

/** Which secret signs is found by the address. */
const REPEATED = 'stands in another entry already; name its events there'

function faultOf(url: string): string | undefined {
  const parsed = URL.parse(url)
  if (parsed === null) return 'is not an address that can be parsed; check host and port'
  if (parsed.username !== '' || parsed.password !== '') {
    return 'has a user or password in it; the signature is what a receiver checks'
  }
  try {
    createAddressGuard({ configuredHost: parsed.hostname, allowPrivateAddresses: true, forbidden: [] }).checkHost(
      parsed.hostname,
    )
    return undefined
  } catch (error) {
    return `cannot be a receiver: ${error instanceof Error ? error.message : String(error)}`
  }
}
