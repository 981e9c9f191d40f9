/**
 * An address as it is written, and as a server may read it: with its dots walked and its percent signs decoded, in
 * either order, and without who asks. `file:///public/../secret` and `file:///%73ecret` are all `file:///secret` to somebody,
 * and `https://me@host/` is `https://host/`.
 */
export function spellingsOf(uri: string): readonly string[] {
  const decoded = decodedAsFar(uri)
  const written = [uri, walked(uri), decoded, walked(decoded), decodedAsFar(walked(decoded))]
  return [...new Set([...written, ...[uri, decoded].flatMap(withoutUser)])]
}

function withoutUser(uri: string): readonly string[] {
  const url = uri.includes('@') ? URL.parse(uri.replaceAll('\\', '/')) : null
  if (url === null || (url.username === '' && url.password === '')) return []
  url.username = ''
  url.password = ''
  return [url.href, decodedAsFar(url.href)]
}

/** What is no address, such as a template with its places, stays as it is. */
function walked(uri: string): string {
  const slashed = uri.replaceAll('\\', '/')
  // Of schemes that are unknown to it the standard walks the dots of addresses with a path alone.
  return URL.parse(slashed)?.href ?? uri
}

/** Twice: a proxy on the way may have decoded once already. */
function decodedAsFar(uri: string): string {
  return decoded(decoded(uri))
}

/** Each by itself, so that one that is broken does not hide the others. */
function decoded(uri: string): string {
  return uri.replaceAll(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })
}
