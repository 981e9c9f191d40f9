import { SECRET_MIN_LENGTH } from '../limits.ts'
import type { McpServerConfig } from '../server-config.ts'
import { isStdioServer } from '../server-config.ts'

/** Masks every configured secret of a server (header and environment values, user info and query of the URL). */
export function createSecretFilter(
  config: McpServerConfig,
  /** Masks what is not configured: the tokens of a login. */
  maskMore: (text: string) => string = (text) => text,
): (text: string) => string {
  // Longest first: a token inside a header value must not leave the rest of that value behind.
  const secrets = [...new Set(secretsOf(config))].toSorted((a, b) => b.length - a.length)
  return (text) => maskMore(secrets.reduce((masked, secret) => masked.replaceAll(secret, '[secret]'), text))
}

/** The URL without user info, query and fragment, any of which may hold a key. */
export function publicUrl(text: string): string {
  const url = URL.parse(text)
  return url === null ? 'an invalid url' : `${url.origin}${url.pathname}`
}

function secretsOf(config: McpServerConfig): readonly string[] {
  const values = isStdioServer(config)
    ? Object.values(config.env ?? {})
    : [
        ...Object.values(config.headers ?? {}).flatMap(withoutScheme),
        ...urlSecrets(config.url),
        config.oauth?.clientSecret ?? '',
      ]
  return values.filter((value) => value.length >= SECRET_MIN_LENGTH)
}

/** `Bearer abc` is a secret as a whole and without its scheme. */
function withoutScheme(value: string): readonly string[] {
  const [, token] = /^\S+\s+(\S.*)$/.exec(value) ?? []
  return token === undefined ? [value] : [value, token]
}

function urlSecrets(text: string): readonly string[] {
  const url = URL.parse(text)
  if (url === null) return []
  return [url.username, url.password, ...url.searchParams.values()].flatMap((value) => [
    value,
    encodeURIComponent(value),
  ])
}
