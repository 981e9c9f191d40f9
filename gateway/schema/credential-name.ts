/** Stands where a secret is. */
export const MASK = '[secret]'

const CREDENTIAL_NAME =
  /(api|access|private|secret|signing|encryption)[-_]?key|token|secret|passw|credential|cookie|^auth|authorization|bearer|^key$|^pwd$|_key$|-key$/i

/** Whether a key, header or variable of this name holds a credential. */
export function isCredentialName(name: string): boolean {
  return CREDENTIAL_NAME.test(name)
}

/** The forms of keys that services give out; what looks so is one, wherever it stands. */
const CREDENTIAL_VALUE =
  /^(?:(?:sk|pk|rk|db)[-_][\w-]{12,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|AKIA[0-9A-Z]{12,}|AIza[\w-]{30,}|tvly-[\w-]{10,}|eyJ[\w-]{10,}\.[\w-]+\.[\w-]*|(?:bearer|basic)\s+\S{8,})$/i

export function isCredentialValue(value: string): boolean {
  return CREDENTIAL_VALUE.test(value.trim())
}
