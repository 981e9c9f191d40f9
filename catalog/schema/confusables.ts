/**
 * Letters of other scripts, and of the far ends of Latin, that a reader takes for an ASCII letter, by that letter. Only
 * doubles, not cousins: with the Cyrillic small te and ka in it, common Russian words would be flagged.
 */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  a: 'аɑα',
  b: 'ƅ',
  c: 'сϲⲥ',
  d: 'ԁ',
  e: 'еҽ',
  f: 'ғքƒ',
  g: 'ɡց',
  h: 'һհ',
  i: 'іιıɩӏ',
  j: 'јϳ',
  k: 'ҝ',
  l: 'ӏⅼǀ',
  n: 'ոռ',
  o: 'оοօ',
  p: 'рρ',
  q: 'ԛզ',
  r: 'ᴦ',
  s: 'ѕꜱ',
  u: 'υս',
  v: 'νѵ',
  w: 'ԝѡա',
  x: 'х',
  y: 'уү',
  z: 'ᴢ',
  A: 'АΑᎪ',
  B: 'ВΒᏴ',
  C: 'СϹᏟ',
  D: 'Ꭰᗞ',
  E: 'ЕΕᎬ',
  F: 'ϜᖴꓝԲ',
  G: 'ԌᏀ',
  H: 'НΗᎻ',
  I: 'ІΙӀ',
  J: 'ЈᎫ',
  K: 'КΚᏦ',
  L: 'ᏞԼ',
  M: 'МΜᎷ',
  N: 'Ν',
  O: 'ОΟՕ',
  P: 'РΡᏢ',
  Q: 'Ԛ',
  R: 'ᎡᏒ',
  S: 'ЅՏᏚ',
  T: 'ТΤᎢ',
  U: 'Սᑌ',
  V: 'ѴᏙ',
  W: 'ԜᎳ',
  X: 'ХΧ',
  Y: 'УΥҮ',
  Z: 'ΖᏃ',
}

const LETTERS: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKS_LIKE).flatMap(([ascii, alike]) => Array.from(alike, (letter) => [letter, ascii] as const)),
)

/** The ASCII letter that this one is taken for, or undefined where it looks like none. */
export function asciiLookAlike(letter: string): string | undefined {
  return LETTERS.get(letter)
}
