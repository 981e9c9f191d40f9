/** Functions and methods of other languages, by what JavaScript has instead. */
const METHODS = new Map<string, string>([
  ['append', 'list.push(value)'],
  ['extend', 'list.push(...other)'],
  ['add_all', 'list.push(...other)'],
  ['addAll', 'list.push(...other)'],
  ['contains', 'list.includes(value)'],
  ['has_key', 'key in object'],
  ['startswith', 'text.startsWith(part)'],
  ['endswith', 'text.endsWith(part)'],
  ['strip', 'text.trim()'],
  ['lstrip', 'text.trimStart()'],
  ['rstrip', 'text.trimEnd()'],
  ['upper', 'text.toUpperCase()'],
  ['lower', 'text.toLowerCase()'],
  ['format', 'a template: `a ${value}`'],
  ['items', 'Object.entries(object)'],
  ['get', 'object.name, or object[name]'],
  ['keys', 'Object.keys(object)'],
  ['values', 'Object.values(object)'],
  ['len', 'list.length'],
  ['size', 'list.length'],
  ['count', 'list.length'],
  ['dumps', 'JSON.stringify(value)'],
  ['loads', 'JSON.parse(text)'],
])

const FUNCTIONS = new Map<string, string>([
  ['len', 'list.length'],
  ['str', 'String(value)'],
  ['int', 'Number(text)'],
  ['float', 'Number(text)'],
  ['dict', 'an object: { key: value }'],
  ['list', '[...values]'],
  ['tuple', '[...values]'],
  ['range', 'for (let i = 0; i < n; i += 1)'],
  ['enumerate', 'list.entries()'],
  ['zip', 'list.map((value, index) => [value, other[index]])'],
  ['sorted', 'list.toSorted()'],
  ['isinstance', 'typeof value, or Array.isArray(value)'],
  ['sum', 'list.reduce((total, value) => total + value, 0)'],
  ['min', 'Math.min(...list)'],
  ['max', 'Math.max(...list)'],
  ['abs', 'Math.abs(value)'],
  ['round', 'Math.round(value)'],
  ['any', 'list.some((value) => …)'],
  ['json', 'JSON.stringify and JSON.parse'],
  ['re', 'regular expressions: text.match(/…/)'],
  ['asyncio', 'await Promise.all(promises)'],
  ['pass', 'nothing: a block may be empty'],
  ['Exception', 'new Error("…")'],
  ['ValueError', 'new Error("…")'],
  ['nil', 'null'],
  ['System', 'console.log(value)'],
  ['Logger', 'console.log(value)'],
  ['datetime', 'new Date()'],
])

/** What JavaScript has instead of a method that a value lacks. */
export function hintForMethod(name: string): string | undefined {
  const instead = METHODS.get(name)
  return instead === undefined
    ? undefined
    : `JavaScript has ${instead} where the value is a list, a text or an object; console.log it to see what it is`
}

/** What JavaScript has instead of a function that is not there. */
export function hintForFunction(name: string): string | undefined {
  const instead = FUNCTIONS.get(name)
  return instead === undefined ? undefined : `a program is JavaScript: write ${instead}`
}
