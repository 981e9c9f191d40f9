/** What a program does with something of ours: made ready in peace, done while every builtin of the language tells. */
export interface SpiedStep {
  readonly name: string
  /** An expression, evaluated before. */
  readonly given?: string
  /** A statement over `given`. */
  readonly does: string
}

/**
 * A program that replaces every builtin of its realm by one that tells of its calls, puts accessors that tell on the
 * prototypes of the language under all of `names`, and then takes the steps. It returns what was told, as
 * `<step>: <builtin>`, with ` GOT OURS` where a function came along that is neither the language's nor the program's.
 */
export function spyingProgram(names: readonly string[], steps: readonly SpiedStep[]): string {
  return `${REALM}
const NAMES = ${JSON.stringify(names)}
for (const [prototype, name] of [[Object.prototype, 'Object'], [Array.prototype, 'Array'], [Function.prototype, 'Function'], [Promise.prototype, 'Promise']]) {
  for (const key of NAMES) if (gopd(prototype, key) === undefined) poison(prototype, key, name + '.prototype.' + key)
}
let given
${steps.map((step) => stepText(step)).join('\n')}
return tellings`
}

function stepText({ name, given, does }: SpiedStep): string {
  return `given = ${given ?? 'undefined'}
step = ${JSON.stringify(name)}
try { ${does} } catch {}
step = ''`
}

const REALM = `const { apply, construct, getOwnPropertyDescriptor: gopd, defineProperty: defp, ownKeys, getPrototypeOf: gpo } = Reflect
const sourceOf = Function.prototype.toString, includes = String.prototype.includes, isIn = Set.prototype.has, put = Set.prototype.add
const String_ = String, tellings = []
const ours = globalThis.tools, log = globalThis.console
const known = new Set(), walked = new Set()
let step = ''
const isOurs = (f) => typeof f === 'function' && !apply(isIn, known, [f]) && !apply(includes, apply(sourceOf, f, []), ['[native code]'])
const holdsOurs = (value) => {
  if (isOurs(value)) return true
  if (typeof value !== 'object' || value === null) return false
  const keys = ownKeys(value)
  for (let i = 0; i < keys.length && i < 60; i++) {
    const d = gopd(value, keys[i])
    if (d !== undefined && (isOurs(d.value) || isOurs(d.get) || isOurs(d.set))) return true
  }
  return false
}
const tell = (what, self, args) => {
  if (step === '') return
  const of = step
  step = ''
  let gotOurs = holdsOurs(self)
  for (let i = 0; i < args.length; i++) gotOurs = gotOurs || holdsOurs(args[i])
  tellings[tellings.length] = of + ': ' + what + (gotOurs ? ' GOT OURS' : '')
  step = of
}
const spied = (f, name) => {
  const spy = new Proxy(f, {
    __proto__: null,
    apply(target, self, args) { tell(name, self, args); return apply(target, self, args) },
    construct(target, args, newTarget) { tell(name, undefined, args); return construct(target, args, newTarget === spy ? target : newTarget) },
  })
  apply(put, known, [spy])
  return spy
}
const poison = (prototype, key, name) => defp(prototype, key, {
  __proto__: null,
  configurable: true,
  get() { tell('reads ' + name, undefined, []); return undefined },
  set(value) { tell('sets ' + name, undefined, [value]); defp(this, key, { __proto__: null, value, writable: true, enumerable: true, configurable: true }) },
})
const LEFT = new Set(['constructor', 'globalThis', 'tools', 'console', 'URL', 'URLSearchParams', 'TextEncoder', 'TextDecoder', 'prepareStackTrace'])
const walk = (object, path) => {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null || walked.has(object) || object === ours || object === log) return
  walked.add(object)
  for (const key of ownKeys(object)) {
    const d = gopd(object, key)
    const name = path + '.' + String_(key)
    if (LEFT.has(key)) continue
    walk(d.value, name)
    if (typeof d.value === 'function' && (d.writable || d.configurable)) defp(object, key, { ...d, value: spied(d.value, name) })
    else if (d.configurable && (d.get || d.set)) defp(object, key, { ...d, ...(d.get && { get: spied(d.get, name) }), ...(d.set && { set: spied(d.set, name) }) })
  }
  walk(gpo(object), path + '.__proto__')
}
const kinds = [[][Symbol.iterator](), new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), ''[Symbol.iterator](), ''.matchAll(/a/g), (function* () {})(), (async function* () {})(), async () => {}, new Uint8Array(1)]
for (const kind of kinds) walk(gpo(kind), gpo(kind)[Symbol.toStringTag] ?? 'Uint8Array')
walk(globalThis, 'globalThis')`
