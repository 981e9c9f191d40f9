import type { ContentBlock } from '../../../tool.ts'

interface MediaBlock {
  readonly type: 'image' | 'audio'
  readonly data: string
  readonly mimeType: unknown
}

/**
 * An image or sound; undefined where its data are none, so that it is read as the text that it is. Some write the address
 * that a browser takes, `data:image/png;base64,…`, and some not what it is, or wrongly. An image goes by its first bytes:
 * providers of models refuse one that is called something else, and with it the whole conversation that it stands in.
 */
export function readMedia({ type, data, mimeType }: MediaBlock): ContentBlock | undefined {
  const [prefix = '', inAddress] = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w=-]+)*;base64,/i.exec(data.slice(0, 200)) ?? []
  const plain = plainBase64(data.slice(prefix.length))
  if (plain === undefined || plain === '') return undefined
  const named = typeof mimeType === 'string' && mimeType !== '' ? mimeType : (inAddress ?? 'application/octet-stream')
  const seen = type === 'image' ? imageType(plain) : undefined
  return { type, data: plain, mimeType: seen ?? named }
}

/** In the one alphabet that all clients read, without breaks of lines; undefined where it is no base64. */
export function plainBase64(text: string): string | undefined {
  if (!/[^A-Za-z0-9+/]/.test(text)) return text.length % 4 === 1 ? undefined : text
  const plain = text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/')
  return /^[A-Za-z0-9+/]*={0,2}$/.test(plain) && plain.replace(/=+$/, '').length % 4 !== 1 ? plain : undefined
}

/** In hexadecimal, of the forms that models see. */
const FIRST_BYTES = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^47494638(?:37|39)61/],
  ['image/webp', /^52494646.{8}57454250/],
] as const

function imageType(base64: string): string | undefined {
  const start = Buffer.from(base64.slice(0, 16), 'base64').toString('hex')
  return FIRST_BYTES.find(([, begins]) => begins.test(start))?.[0]
}
