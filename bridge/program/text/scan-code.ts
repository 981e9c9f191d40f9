export interface Region {
  readonly kind: 'code' | 'string' | 'smart-string' | 'template' | 'comment' | 'regex'
  readonly start: number
  readonly end: number
}

const DOUBLE = '“”„‟″«»'
const SINGLE = '‘’‚‛′´'
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%<>~^\n]|\b(?:return|typeof|case|await|void|delete|in|of))$/

/**
 * Splits text that need not parse into code, strings, templates, comments and regular expressions. Typographic quotes
 * in code open strings too. In time linear in the text.
 */
export function scanCode(text: string): readonly Region[] {
  const regions: Region[] = []
  /** Brace depths at which a template goes on. */
  const templates: number[] = []
  let depth = 0
  let codeStart = 0
  let at = 0
  const literalEnd = createLiterals(text)
  const take = (kind: Region['kind'], end: number): void => {
    if (at > codeStart) regions.push({ kind: 'code', start: codeStart, end: at })
    if (end > at) regions.push({ kind, start: at, end })
    at = end
    codeStart = end
  }
  const takeTemplate = (from: number): void => {
    const { end, opens } = templateEnd(text, from)
    if (opens) templates.push(depth)
    take('template', end)
  }
  while (at < text.length) {
    const char = text[at] ?? ''
    const end = literalEnd(at)
    if (end !== undefined) take(end.kind, end.end)
    else if (char === '`') takeTemplate(at + 1)
    else if (char === '}' && templates.at(-1) === depth) {
      templates.pop()
      takeTemplate(at + 1)
    } else {
      if (char === '{') depth++
      if (char === '}') depth--
      at++
    }
  }
  take('code', at)
  return regions
}

/** The opening bracket that nothing closes, innermost first; undefined where all are closed. */
export function unclosedBracket(text: string): number | undefined {
  const open: number[] = []
  for (const region of scanCode(text)) {
    if (region.kind === 'template') {
      // `${` opens one too, and the next part of its template closes it.
      if (text[region.start] === '}') open.pop()
      if (text.startsWith('${', region.end - 2)) open.push(region.end - 1)
    }
    if (region.kind !== 'code') continue
    for (let at = region.start; at < region.end; at++) {
      const char = text[at] ?? ''
      if ('([{'.includes(char)) open.push(at)
      else if (')]}'.includes(char)) open.pop()
    }
  }
  return open.at(-1)
}

interface Literal {
  readonly kind: Region['kind']
  readonly end: number
}

/**
 * Where the literal ends that begins at a place, asked in rising order. A line that closes none of a kind is searched
 * for it once, not once for each opening.
 */
function createLiterals(text: string): (at: number) => Literal | undefined {
  const openUntil = new Map<string, number>()
  const once = (kind: string, at: number, find: () => Literal | undefined): Literal | undefined => {
    if (at < (openUntil.get(kind) ?? 0)) return undefined
    const found = find()
    if (found === undefined) openUntil.set(kind, lineEnd(text, at))
    return found
  }
  return (at) => {
    const char = text[at] ?? ''
    if (char === '/' && text[at + 1] === '/') return { kind: 'comment', end: lineEnd(text, at) }
    if (char === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2)
      return { kind: 'comment', end: end < 0 ? text.length : end + 2 }
    }
    if (char === '"' || char === "'") return stringEnd(text, at, char)
    if (DOUBLE.includes(char)) return once('double', at, () => smartEnd(text, at, [DOUBLE, '"']))
    if (SINGLE.includes(char)) return once('single', at, () => smartEnd(text, at, [SINGLE, "'"]))
    return char === '/' && isRegexPlace(text, at) ? once('regex', at, () => regexEnd(text, at)) : undefined
  }
}

/** To the same quote; where the line has none, to the first typographic one. */
function stringEnd(text: string, at: number, quote: string): Literal | undefined {
  let smart: number | undefined
  for (let end = at + 1; end < text.length && text[end] !== '\n'; end++) {
    const char = text[end] ?? ''
    if (char === '\\') end++
    else if (char === quote) return { kind: 'string', end: end + 1 }
    else if (smart === undefined && (quote === '"' ? DOUBLE : SINGLE).includes(char) && !isApostrophe(text, end))
      smart = end + 1
  }
  if (smart !== undefined) return { kind: 'smart-string', end: smart }
  return { kind: 'string', end: lineEnd(text, at) }
}

/** Undefined where the line has no closing quote: then it is a stray character of the code. */
function smartEnd(text: string, at: number, [smart, straight]: readonly [string, string]): Literal | undefined {
  for (let end = at + 1; end < text.length && text[end] !== '\n'; end++) {
    const char = text[end] ?? ''
    if (char === '\\') end++
    else if (smart.includes(char) && !isApostrophe(text, end)) return { kind: 'smart-string', end: end + 1 }
    // A straight quote closes it only where code can go on: in “a "b" c” it does not.
    else if (char === straight && /^[ \t]*(?:[,)\]};:.+?\n]|$)/.test(text.slice(end + 1, end + 20))) {
      return { kind: 'smart-string', end: end + 1 }
    }
  }
  return undefined
}

/** The mark in "it’s". */
function isApostrophe(text: string, at: number): boolean {
  return /[’']/.test(text[at] ?? '') && /\p{L}/u.test(text[at - 1] ?? '') && /\p{L}/u.test(text[at + 1] ?? '')
}

function isRegexPlace(text: string, at: number): boolean {
  return BEFORE_REGEX.test(text.slice(Math.max(0, at - 40), at).replace(/[ \t]+$/, ''))
}

function regexEnd(text: string, at: number): Literal | undefined {
  let isInClass = false
  for (let end = at + 1; end < text.length && text[end] !== '\n'; end++) {
    const char = text[end]
    if (char === '\\') end++
    else if (char === '[') isInClass = true
    else if (char === ']') isInClass = false
    else if (char === '/' && !isInClass) return { kind: 'regex', end: end + 1 }
  }
  return undefined
}

function templateEnd(text: string, from: number): { readonly end: number; readonly opens: boolean } {
  for (let end = from; end < text.length; end++) {
    if (text[end] === '\\') end++
    else if (text[end] === '`') return { end: end + 1, opens: false }
    else if (text[end] === '$' && text[end + 1] === '{') return { end: end + 2, opens: true }
  }
  return { end: text.length, opens: false }
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** Whether a place lies in a region of the kind; asked in rising order, it costs no more than one pass. */
export function within(
  regions: readonly Region[],
  isWanted: (kind: Region['kind']) => boolean,
): (at: number) => boolean {
  let index = 0
  return (at) => {
    if ((regions[index]?.start ?? 0) > at) index = 0
    while ((regions[index]?.end ?? Infinity) <= at) index++
    const region = regions[index]
    return region !== undefined && region.start <= at && isWanted(region.kind)
  }
}
