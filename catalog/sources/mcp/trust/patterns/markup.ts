import type { OddPlace } from '../characters/hidden-characters.ts'

/** Forms that hosts and models know as another voice than the tool's. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [
    /<\/?\s{0,3}(?:important|system|secret|hidden|admin|sys|inst|override|confidential|system[-_ ](?:prompt|message|reminder|instruction|note)s?|assistant[-_ ]?(?:instructions?|note|only)?|developer|internal|(?:hidden|secret|assistant|agent|model|ai|llm|internal|private|special|admin)[-_ ]?(?:instruction|directive|note|prompt|message|rule|order|context|only)s?)\s{0,3}\/?>/i,
    'has markup that speaks past the user',
  ],
  [
    // However it is spelled; what stands for a value, as in <PROJECT_ID>, is not closed.
    /<(?!EXAMPLES?>|USAGE>|INPUT>|OUTPUT>|CODE>|QUERY>)([A-Z]{4,20})>[^<>]{16,4000}<\/\1>/,
    'has markup in capitals that speaks past the user',
  ],
  [/<\|[a-z_]{2,24}\|>|<<\s?SYS\s?>>|\[\/?INST\]/i, "has the control marks of a model's prompt"],
  [
    /\[\s{0,3}(?:SYSTEM|ADMIN|ASSISTANT|HIDDEN|OVERRIDE)\b[^\]|,/]{0,30}\]|\[\s{0,3}(?:assistant|system|hidden|admin|ai|llm|internal|secret)\s+(?:instructions?|notes?|override|message|prompt|directive)\b/,
    'has a mark as if the system spoke',
  ],
  [
    /\[\s{0,3}(?:assistant|system|hidden|admin|ai|llm|internal|secret)\s{1,3}(?:instructions?|notes?|override|message|prompt|directive)\b/i,
    'has a mark as if the system spoke',
  ],
  [
    /(?:^|\n)?#{2,6}\s{0,3}(?:system|hidden|assistant|admin|override|secret|new instructions?)\b/i,
    'has a heading as if the system spoke',
  ],
  [
    /\[{1,3}\s?(?:SYSTEM|HIDDEN|ASSISTANT|AI|LLM|MODEL|AGENT|ADMIN)\s?[:-]|\b(?:LLM|AI|AGENT|MODEL|ASSISTANT|SYSTEM)[_ -](?:NOTE|INSTRUCTION|HINT|DIRECTIVE|ONLY)S?\s?:/,
    'has a mark as if the system spoke',
  ],
  [/\{\s{0,3}"role"\s{0,3}:\s{0,3}"(?:system|developer)"\s{0,3},\s{0,3}"content"/, 'has a message of a system'],
  [/\/\*\s?(?:agent|assistant|ai|llm|model|system)\b/i, 'has a comment that speaks to the model'],
  [
    /<\/(?:description|tool|function|parameters|schema)>|\bend of (?:the )?(?:tool )?(?:description|documentation|definition)\b/i,
    'ends its own description to go on as someone else',
  ],
  [
    /(?:^|[.!?\n]\s)(?:assistant|human)\s?:\s?(?:sure|ok|okay|yes|of course|i|understood)\b/i,
    'has a conversation as if the model had agreed',
  ],
  [
    /https?:\/\/[^\s?#]{1,200}\?[^\s=]{0,40}=\s?[{<[]\s?(?:all|any|every|the|your|previous|earlier|prior|full|entire|whole|last|latest)\b[^}>\]]{0,60}\b(?:messages?|conversation|chat|history|secrets?|keys?|tokens?|passwords?|credentials|prompt|instructions)\b/i,
    'has an address that is to carry off what was said',
  ],
  [/<!--(?=[^>]{12})/, 'has a comment that a person who reads the rendered text does not see'],
  [
    /(?:^|[.!?)\]\n]\s{0,3}|[([{*]\s?)(?:SYSTEM|ADMIN|ADMINISTRATOR|ASSISTANT|DEVELOPER|ROOT|OVERRIDE|LLM|AI|MODEL)(?:\s(?:NOTE|OVERRIDE|PROMPT|MESSAGE|NOTICE|ALERT))?\s?:/,
    'has a label as if the system spoke',
  ],
  [
    /\b(?:system|admin|developer|hidden|operator)\s(?:override|prompt|message|notice|instructions?|directive)\s?:(?!\s?(?:string|the\b|a\b|text))/i,
    'has a label as if the system spoke',
  ],
]

/** Markup, labels and marks that pass a text off as the system's or the host's. */
export function findFakeMarkup(text: string): OddPlace | undefined {
  for (const [form, reason] of FORMS) {
    const found = form.exec(text)
    if (found === null) continue
    if (isSpokenOf(text, found.index, found.index + found[0].length)) continue
    return { start: found.index, end: found.index + found[0].length, reason }
  }
  return undefined
}

/** In quotation marks it is spoken of, and so it is after an article or a verb: "renders an <IMPORTANT> block". */
function isSpokenOf(text: string, at: number, end: number): boolean {
  if (/^\s(?:block|tag|element|marker|admonition|comment|section)s?\b/i.test(text.slice(end, end + 20))) return true
  const before = text.slice(Math.max(0, at - 40), at)
  return /["'`\u201c\u2018]$|\b(?:an?|the|like|as|comments?|tags?|blocks?|renders?|strips?|removes?|escapes?)\s$/i.test(
    before,
  )
}
