/** What a refusal says of how to be let in. */
export interface LoginChallenge {
  /** Where the server describes itself (RFC 9728). */
  readonly resourceMetadataUrl?: URL
  readonly scope?: string
  readonly error?: string
}

/**
 * Reads the `Bearer` and `DPoP` challenges of a refusal (RFC 6750, RFC 9449), wherever in the header they stand: behind one for a
 * password, in a second header, with values in other quotes or in none, with blanks around `=`, with an address that is
 * relative. The SDK's reader knows the first challenge and the plain form of a value alone.
 */
export function readChallenge(response: Response, serverUrl: string): LoginChallenge {
  const said = parametersOf(response.headers.get('www-authenticate') ?? '')
  const resourceMetadataUrl = URL.parse(said.get('resource_metadata') ?? '', serverUrl)
  const [scope, error] = [said.get('scope'), said.get('error')]
  return {
    ...(said.has('resource_metadata') && resourceMetadataUrl !== null && { resourceMetadataUrl }),
    ...(scope !== undefined && { scope }),
    ...(error !== undefined && { error }),
  }
}

/** By their names in small letters; the first of a name counts, and what is empty is not there. */
function parametersOf(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  let isOurs = true
  for (const [, word = '', sign, quoted, apostrophed, plain] of header.matchAll(PART)) {
    const name = word.toLowerCase()
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? apostrophed ?? plain ?? ''
    // A word alone begins the next challenge.
    if (sign === undefined) isOurs = name === 'bearer' || name === 'dpop'
    else if (isOurs && value !== '' && !found.has(name)) found.set(name, value)
  }
  return found
}

const PART = /(?<![^\s,])([A-Za-z][\w-]*)(?:\s*(=)\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s,]*)))?/g
