import type { Token } from '../text/sentences.ts'

/** What a word is by the look of it, where no list can hold it. */
export const SHAPES: Readonly<Record<string, (token: Token) => boolean>> = {
  /** Files that hold keys, passwords, histories or the settings of other tools. */
  secretPlace: ({ word }) => SECRET_PLACE.test(word),
  /** A variable of the environment that holds a key by its name. */
  secretVariable: ({ text }) => /^[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|SECRET|PASSWORD|URL|CREDENTIALS|DSN)$/.test(text),
  url: ({ text }) => /^[a-z][a-z0-9+.-]{1,10}:\/\/\S/i.test(text),
  /** An address by its number, and not of the machine at hand. */
  numericUrl: ({ text }) => /^https?:\/\/(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}\b/i.test(text),
  email: ({ text }) => /^[^@\s]+@[^@\s]+$/.test(text) && /@.+\../.test(text),
  identifier: ({ text }) =>
    // One way to read each letter: a word of 64 KB has to be told in one pass.
    (text.includes('_') && /^[A-Za-z]\w*[A-Za-z0-9]$/.test(text)) ||
    /^[a-z]{2}[a-z0-9]*(?:[A-Z][a-z0-9]+){1,5}$/.test(text),
  /** Where money goes: an address of a coin, or an account as banks write it. */
  wallet: ({ text }) => /^(?:bc1[a-z\d]{20,60}|0x[\da-f]{40}|[A-Z]{2}\d{2}[A-Z\d]{11,30})$/.test(text),
  host: ({ text }) =>
    /^(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}$|^(?:[\w<>*-]+\.)+(?:com|net|org|io|sh|dev|example|tld|xyz|app|co|me|ru|cn|info|biz|site|online|cloud|ai)$/i.test(
      text,
    ),
  /** A program as a shell knows it, or the first word of a statement in capitals. */
  command: ({ text }) => COMMAND.test(text),
  number: ({ word }) =>
    /^(?:\d+(?:st|nd|rd|th)?|first|second|third|fifth|tenth|ten|twenty|thirty|sixty|ninety|hundred|hundredth|thousandth|few|several|certain|enough)$/.test(
      word,
    ),
}

const COMMAND =
  /^(?:rm|curl|wget|nc|chmod|chown|sudo|bash|sh|eval|exec|printenv|env|base64|scp|ssh|crontab|powershell|dd|mkfs|DROP|DELETE|TRUNCATE|GRANT|-rf)$/

const SECRET_PLACE =
  /^~\/\.\w|^\/proc\/|\.ssh\b|\bid_(?:rsa|dsa|ecdsa|ed25519)|\.aws\b|(?:^|\/)\.env\b(?!\.(?:example|sample|template|dist)\b)|\/etc\/(?:passwd|shadow|sudoers|hosts|crontab|profile)\b|\.cursor\b|\bmcp\.json|\.kube\b|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.gnupg|\.docker\/config|wallet\.dat|\.(?:bash|zsh)_history|cookies\.sqlite|\bauthorized_keys|\.pem$|^\.git$|\/proc\/self\/environ|^printenv$|credentials?\.(?:db|json|csv)$|\.(?:bash|zsh)rc$|\.config\/gcloud|\bclaude_desktop_config|\.password-store|\bsecrets\.(?:json|ya?ml)|login\.keychain|\blogin data\b|\.p12$|\.pfx$|\.kdbx$|^document\.cookie/
