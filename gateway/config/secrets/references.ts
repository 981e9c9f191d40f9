/** `$${NAME}` stands for the text `${NAME}`; `${NAME}` for the environment variable. Other uses of `$` are text. */
const REFERENCE = /\$(\$\{[A-Za-z_][A-Za-z0-9_]*\})|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

export function hasReference(text: string): boolean {
  return text.matchAll(REFERENCE).some(([, escaped]) => escaped === undefined)
}

/** The text with each reference replaced by what `valueOf` gives. */
export function replaceReferences(text: string, valueOf: (name: string) => string): string {
  return text.replace(REFERENCE, (_whole, escaped: string | undefined, name: string | undefined) =>
    name === undefined ? (escaped ?? '') : valueOf(name),
  )
}
