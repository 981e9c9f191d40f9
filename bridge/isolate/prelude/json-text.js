// `JSON.stringify` makes `{}` of a Map, a Set and an Error, and a model takes that for an answer that is empty. Here the
// text has what is in them, in the form that whoever reads the text expects. A program's value has its own form.
import {
  ErrorCtor,
  MapCtor,
  SetCtor,
  define,
  isEnumerable,
  mapForEach,
  ownKeys,
  put,
  setForEach,
} from './primordials.js'
import { hideSource } from './function-source.js'

export function installJsonText() {
  install(MapCtor.prototype, OF_MAPS)
  install(SetCtor.prototype, OF_SETS)
  install(ErrorCtor.prototype, OF_ERRORS)
}

function install(prototype, { toJSON }) {
  define(prototype, 'toJSON', hideSource(toJSON, 'toJSON'))
}

const OF_MAPS = {
  /** An object, where every key can be a name of one; else pairs. */
  toJSON() {
    let areNames = true
    mapForEach(this, (_value, key) => {
      if (typeof key !== 'string' && typeof key !== 'number') areNames = false
    })
    const object = {}
    const pairs = []
    let length = 0
    mapForEach(this, (value, key) => {
      if (areNames) put(object, key, value)
      else put(pairs, length++, [key, value])
    })
    return areNames ? object : pairs
  },
}

const OF_SETS = {
  toJSON() {
    const items = []
    let length = 0
    setForEach(this, (item) => put(items, length++, item))
    return items
  },
}

const OF_ERRORS = {
  /** Its fields, as those of any object, and what it is called and says, which are hidden. */
  toJSON() {
    const fields = {}
    put(fields, 'name', this.name)
    put(fields, 'message', this.message)
    const keys = ownKeys(this)
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]
      if (typeof key === 'string' && isEnumerable(this, key)) put(fields, key, this[key])
    }
    return fields
  },
}
