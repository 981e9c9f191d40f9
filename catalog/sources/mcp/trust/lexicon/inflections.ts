/** The forms of regular English verbs, each given by its base form; `base=form,form` adds irregular ones. */
export function inflections(verbs: string): readonly string[] {
  return verbs.split(' ').flatMap((entry) => {
    const [base = '', irregular] = entry.split('=')
    return [base, ...(irregular?.split(',') ?? []), ...regularForms(base)]
  })
}

function regularForms(base: string): readonly string[] {
  if (/[^aeiou]y$/.test(base)) {
    const stem = base.slice(0, -1)
    return [`${stem}ies`, `${stem}ied`, `${base}ing`]
  }
  if (base.endsWith('e')) return [`${base}s`, `${base}d`, `${base.slice(0, -1)}ing`]
  const third = /(?:s|x|z|ch|sh|o)$/.test(base) ? `${base}es` : `${base}s`
  const last = base.at(-1) ?? ''
  const doubled = /[^aeiou][aeiou][bdglmnprt]$/.test(base) ? [`${base}${last}ed`, `${base}${last}ing`] : []
  return [third, `${base}ed`, `${base}ing`, ...doubled]
}
