/** How a name ends, without case and separators, when its value is a secret. */
const ENDINGS = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'secret',
  'token',
  'jwt',
  'apikey',
  'accesskey',
  'accesskeyid',
  'secretkey',
  'privatekey',
  'signingkey',
  'encryptionkey',
  'masterkey',
  'accountkey',
  'sharedkey',
  'servicekey',
  'subscriptionkey',
  'authkey',
  'credential',
  'credentials',
  'authorization',
  'cookie',
  'connectionstring',
  'xamzsignature',
  'secretaccesskey',
  'webhookurl',
  'bearer',
] as const

/** Names that are secrets only as a whole: as an ending they would catch `compass` or `design`. */
const WHOLE: ReadonlySet<string> = new Set([
  'pwd',
  'pass',
  'pin',
  'otp',
  'mfacode',
  'sessionid',
  'sid',
  'dsn',
  'secrets',
  'tokens',
  'sas',
])

/** Names that are secrets only where their value looks like one. */
const DOUBTFUL: ReadonlySet<string> = new Set([
  'key',
  'auth',
  'sig',
  'signature',
  'code',
  'session',
  'nonce',
  'state',
  'hash',
  'assertion',
])

/** They end like secrets and are needed to read on: tokens of pages, and kinds of things. */
const HARMLESS =
  /(?:page|next|previous|prev|continuation|cursor|sync|resume|pagination|delta|progress)(?:page)?tokens?$|^(?:is|has|use|allow|require|forgot|reset)[a-z]*$/

export function isSecretName(name: string): boolean {
  const bare = bareName(name)
  if (WHOLE.has(bare)) return true
  return ENDINGS.some((ending) => bare.endsWith(ending)) && !HARMLESS.test(bare)
}

/** `key=…` may be a keyboard's key or a credential: the value decides. */
export function isDoubtfulName(name: string): boolean {
  return DOUBTFUL.has(bareName(name))
}

/** A value that no one would write as a word: digits or mixed case among letters, long enough, and no program or prose. */
export function looksSecret(value: string): boolean {
  if (value.length < 8 || !/^[\w.~+/=:@-]+$/.test(value)) return false
  const hasDigit = /\d/.test(value)
  const hasLetter = /[A-Za-z]/.test(value)
  if (hasDigit && hasLetter) return true
  return /[a-z][A-Z]/.test(value) || (hasDigit && value.length >= 16) || /^[A-Za-z0-9+/_=-]{32,}$/.test(value)
}

function bareName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}
