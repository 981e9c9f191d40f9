/** A copy with names in small letters. A list or a `Headers` goes through the class, which is slow to make. */
export function plainHeaders(headers: RequestInit['headers']): Record<string, string> {
  if (headers === undefined || headers instanceof Headers || Array.isArray(headers)) {
    return Object.fromEntries(new Headers(headers))
  }
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) plain[name.toLowerCase()] = String(value)
  return plain
}
