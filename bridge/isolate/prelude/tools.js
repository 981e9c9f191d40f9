// The program's `tools`: what it can ask for, and a lazy namespace over the catalog that it does not hold.
import {
  ArrayCtor,
  ProxyCtor,
  TypeErrorCtor,
  create,
  define,
  defineFixed,
  freeze,
  hitPrototype,
  hostFunction,
  isArray,
  ownKeys,
  whenSettled,
  PromiseCtor,
  put,
  setPrototypeOf,
  stringIncludes,
  stringSlice,
  stringify,
} from './primordials.js'
import { ask, jsonString, rejected, strictJson } from './operations.js'
import { isReserved, own, read } from './reading.js'
import { outcome } from './call-outcome.js'

const UNCHANGED = 'tools cannot be changed; make an object of your own'

define(hitPrototype, 'call', function (args, options) {
  const id = own(this, 'id')
  if (id !== undefined) return call(id, args, options)
  return rejected('invalid-input', 'call was taken off its hit: write hit.call(args), or tools.call(hit.id, args)')
})
define(hitPrototype, 'describe', function (options) {
  return describe(own(this, 'id'), options)
})
// Shared by all hits: what a program did to one would be done to the others.
freeze(hitPrototype)

export function makeTools() {
  const base = create(null)
  defineFixed(base, 'search', called('search', search))
  defineFixed(base, 'describe', called('describe', describe))
  defineFixed(base, 'call', called('call', call))
  defineFixed(base, 'callAll', called('callAll', callAll))
  defineFixed(base, 'artifact', called('artifact', artifact))
  const store = create(null)
  defineFixed(store, 'get', called('get', storeGet))
  defineFixed(store, 'set', called('set', storeSet))
  defineFixed(base, 'store', new ProxyCtor(freeze(store), fixed(storeMember, STORE_USE)))
  return new ProxyCtor(freeze(base), fixed(toolsMember, UNCHANGED))
}

function toolsMember(base, key) {
  if (key in base) return base[key]
  // Read of a list alone: an owner of that name would make `tools.length` a function, and a loop over it silent.
  if (key === 'length' || key === '0') throw new TypeErrorCtor(NO_LIST)
  return owner(key)
}

const NO_LIST =
  'tools is no list: await tools.search("…") gives a list of hits, and await tools.call(id, args) calls one'

const STORE_USE =
  'tools.store holds values by key: use await tools.store.get(key) and await tools.store.set(key, value)'

/** A value that a program looks for there would be `undefined` whatever was stored. */
function storeMember(store, key) {
  if (key in store) return store[key]
  if (isReserved(key)) return undefined
  throw new TypeErrorCtor(`tools.store has no ${stringify(stringSlice(key, 0, 80))}; ${STORE_USE}`)
}

/** Without it an assignment would do nothing and say nothing: programs need not be strict. */
function fixed(get, message) {
  const refuse = () => {
    throw new TypeErrorCtor(message)
  }
  return { __proto__: null, get, set: refuse, deleteProperty: refuse }
}

/** A function of ours of which nothing changes, and an attempt to is told. */
function called(name, implementation) {
  return new ProxyCtor(hostFunction(name, implementation), CALLED)
}

const CALLED = fixed((target, key) => target[key], UNCHANGED)

function search(query, options) {
  const asked = fields(['query', 'options'], [query, options], 'search')
  if (asked.refused !== undefined) return asked.refused
  return whenAnswered(ask('search', asked.text), (answer) => {
    const several = own(answer, 'results')
    if (!isArray(several)) return hitsOf(answer)
    for (let index = 0; index < several.length; index++) put(several[index], 'hits', hitsOf(several[index]))
    define(several, 'results', several)
    return several
  })
}

/** The list, which is also its own `hits` and `results`: other APIs, our own over HTTP too, answer with an object. */
function hitsOf(answer) {
  const found = own(answer, 'hits')
  const hits = isArray(found) ? found : []
  for (let index = 0; index < hits.length; index++) addMethods(hits[index])
  // Extra properties that are not enumerable: the list stays a list wherever it is returned or logged.
  define(hits, 'hits', hits)
  define(hits, 'results', hits)
  define(hits, 'notes', own(answer, 'notes') ?? [])
  define(hits, 'cursor', own(answer, 'cursor'))
  return hits
}

function describe(ids, options) {
  const asked = fields(['ids', 'options'], [ids, options], 'describe')
  if (asked.refused !== undefined) return asked.refused
  return whenAnswered(ask('describe', asked.text), (answer) => {
    if (isArray(answer)) for (let index = 0; index < answer.length; index++) addMethods(answer[index])
    else addMethods(answer)
    return answer
  })
}

function call(id, args, options) {
  return callFrom(strictJson(id, 'tool id'), args, options)
}

function callFrom(selector, args, options) {
  if (selector.refused !== undefined) return selector.refused
  return callSelected(`{"kind":"text","text":${selector.text}}`, args, options)
}

function callSelected(selector, args, options) {
  const asked = fields(['args', 'options'], [args === undefined ? {} : args, options], 'arguments')
  if (asked.refused !== undefined) return asked.refused
  return ask('call', `,"selector":${selector}${asked.text}`)
}

/** Every call's end, in the order of the list; itself it never rejects for the sake of one of them. */
function callAll(list, options) {
  if (!isArray(list)) return rejected('invalid-input', 'tools.callAll takes a list: [{ id, args }, …]')
  // A proxy's may be anything: making a number of it runs the program's code.
  const length = read(() => list.length - 0)
  if (length.threw) return rejected('invalid-input', 'tools.callAll: the list cannot be read')
  const count = length.value
  const outcomes = new ArrayCtor()
  return new PromiseCtor((resolve) => {
    let open = count
    if (!(open > 0)) resolve(outcomes)
    const settled = (index, fields) => {
      put(outcomes, index, outcome(fields))
      if (--open === 0) resolve(outcomes)
    }
    for (let index = 0; index < count; index++) {
      const entry = read(() => callEntry(list[index]))
      const id = entry.threw ? null : entry.value.id
      const promise = entry.threw
        ? rejected('invalid-input', `tools.callAll: entry ${index} is not { id, args }${MADE_CALLS}`)
        : callFrom(strictJson(entry.value.form, `tools.callAll: entry ${index}`), entry.value.args, options)
      whenSettled(
        promise,
        (value) => settled(index, { id, status: 'fulfilled', value }),
        (reason) => settled(index, { id, status: 'rejected', reason }),
      )
    }
  })
}

const MADE_CALLS = '; calls that you made yourself are awaited by Promise.all'

/** `{ id, args }` in any of its forms, which the gateway reads, or `[id, args]`. */
function callEntry(entry) {
  if (isArray(entry)) return { __proto__: null, id: entry[0], form: entry[0], args: entry[1] }
  const id = entry.id ?? entry.tool ?? entry.toolId ?? entry.name ?? null
  const args = entry.args ?? entry.input ?? entry.arguments ?? entry.params
  const isPlain = typeof id === 'string' && (args !== undefined || ownKeys(entry).length === 1)
  return {
    __proto__: null,
    id: typeof id === 'string' ? id : null,
    form: isPlain ? id : entry,
    args: isPlain ? args : undefined,
  }
}

/** `{ text, offset, bytes, nextOffset? }` of what was too large to come at once. */
function artifact(id, options) {
  const asked = fields(['id', 'options'], [id, options], 'artifact')
  return asked.refused === undefined ? ask('artifact-read', asked.text) : asked.refused
}

/** The second is given where nothing is stored, as other stores do. */
function storeGet(key, fallback) {
  const asked = fields(['key'], [key], 'key')
  if (asked.refused !== undefined) return asked.refused
  const stored = ask('store-get', asked.text)
  return fallback === undefined ? stored : whenAnswered(stored, (value) => value ?? fallback)
}

function storeSet(key, value) {
  const asked = fields(['key', 'value'], [key, value], 'store')
  return asked.refused === undefined ? ask('store-set', asked.text) : asked.refused
}

/** `tools.<owner>`: callable itself (a tool by its unique name), with the owner's tools as properties. */
function owner(key) {
  if (isReserved(key)) return undefined
  const selector = `{"kind":"text","text":${jsonString(key)}}`
  const target = hostFunction(key, (args, options) => callSelected(selector, args, options))
  return new ProxyCtor(
    target,
    named((name) => member(key, name)),
  )
}

function named(tool) {
  return fixed((_target, name) => (isReserved(name) ? undefined : tool(name)), UNCHANGED)
}

function member(ownerName, name) {
  const selector = `{"kind":"path","owner":${jsonString(ownerName)},"name":${jsonString(name)}}`
  const start = (args, options) => callSelected(selector, args, options)
  if (!stringIncludes(SOURCES, ` ${ownerName} `)) return called(name, start)
  // `tools.plugin.math.add(args)`: the id, part by part.
  return new ProxyCtor(
    hostFunction(name, start),
    named((last) => byId([ownerName, name, last])),
  )
}

const SOURCES = ' plugin mcp client '

function byId(parts) {
  const selector = `{"kind":"text","text":${jsonString(`${parts[0]}:${parts[1]}:${parts[2]}`)}}`
  return called(parts[2], (args, options) => callSelected(selector, args, options))
}

/** Hits and descriptions can be called. By a prototype of their own: what they are as data does not change. */
function addMethods(hit) {
  if (typeof hit === 'object' && hit !== null && !isArray(hit)) setPrototypeOf(hit, hitPrototype)
}

function fields(names, values, what) {
  let text = ''
  for (let index = 0; index < names.length; index++) {
    const value = values[index]
    const json = strictJson(value === undefined && names[index] === 'options' ? {} : value, what)
    if (json.refused !== undefined) return json
    text += `,"${names[index]}":${json.text}`
  }
  return { __proto__: null, text, refused: undefined }
}

/** Changes an answer on its way to the program; a rejection goes through as it is. */
function whenAnswered(promise, change) {
  const changed = new PromiseCtor((resolve, reject) => {
    whenSettled(promise, (answer) => resolve(change(answer)), reject)
  })
  whenSettled(changed, undefined, () => undefined)
  delete changed.constructor
  return changed
}
