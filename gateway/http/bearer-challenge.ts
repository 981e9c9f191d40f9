/**
 * What a refusal says in `www-authenticate`, which HTTP wants of every 401; undefined where it says nothing.
 * RFC 6750: no error where no token was sent, and the missing scope where one was not enough.
 */
export function bearerChallenge(
  { code, message }: { readonly code: string; readonly message: string },
  scope?: string,
): string | undefined {
  const realm = 'Bearer realm="drawbridge"'
  const said = `error_description="${message.replaceAll(/["\\]/g, "'").replaceAll(/[^\x20-\x7E]/g, '?')}"`
  if (code === 'missing_token') return realm
  if (code === 'invalid_token') return `${realm}, error="invalid_token", ${said}`
  const isScope = code === 'forbidden' && scope !== undefined
  return isScope ? `${realm}, error="insufficient_scope", scope="${scope}", ${said}` : undefined
}
