import type { JsonValue } from '../../../catalog/json.ts'
import type { AbsentMembers } from '../../isolate/program-host.ts'
import type { Notice } from '../../outcome.ts'
import type { EndedProgram } from './absent-notice.ts'
import { absentNotice } from './absent-notice.ts'
import { objectTextNotice } from './object-text.ts'

export interface GivenValue {
  readonly value: JsonValue
  readonly absent?: AbsentMembers
}

/** What a model may take for the answer in a program's value, and is none. */
export function valueNotices({ value, absent }: GivenValue, program: EndedProgram): readonly Notice[] {
  const json = JSON.stringify(value)
  const notices = [absent && absentNotice(absent, program), objectTextNotice('the value', json), iteratorNotice(json)]
  return notices.filter((notice) => notice !== undefined)
}

/** A key of the program's own that reads so has one more `$`. */
function iteratorNotice(json: string): Notice | undefined {
  if (!json.includes('{"$iterator":')) return undefined
  const message =
    'an iterator in the value was not run: return Array.from(iterator), or await Array.fromAsync(iterator) of an async one'
  return { code: 'iterator-not-run', message }
}
