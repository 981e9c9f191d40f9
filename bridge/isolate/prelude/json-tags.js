import { stringCharCodeAt, stringSlice } from './primordials.js'

/** Keys of the forms that stand for what JSON cannot carry. */
const TAGS = {
  __proto__: null,
  $number: true,
  $bigint: true,
  $invalid: true,
  $map: true,
  $set: true,
  $typed: true,
  $cycle: true,
  $threw: true,
  $class: true,
  $function: true,
  $symbol: true,
  $error: true,
  $regexp: true,
  $promise: true,
  $symbols: true,
  $hidden: true,
  $iterator: true,
  $list: true,
}
const DOLLAR = 36

/** A key of the program's own that reads like one of our tags gets one more `$`, so that no form has two readings. */
export function looksLikeTag(key) {
  if (stringCharCodeAt(key, 0) !== DOLLAR) return false
  let start = 0
  while (stringCharCodeAt(key, start + 1) === DOLLAR) start++
  return TAGS[stringSlice(key, start)] === true
}
