import { HttpError } from '../http/http-error.ts'

/** What ids of each kind begin with. A run may have any id that its client chose. */
const KINDS = {
  run: { prefix: 'run_', where: '/v1/runs/{id}' },
  approval: { prefix: 'apr_', where: '/v1/approvals/{id}' },
  grant: { prefix: 'gr_', where: 'GET /v1/grants' },
  receipt: { prefix: 'rc_', where: 'the answer of its call, and drawbridge audit' },
  call: { prefix: 'call_', where: 'the run or turn that made it' },
} as const

type IdKind = keyof typeof KINDS

/** The 404 of an id; where it is plainly of another kind, that is said, since asking again would not help. */
export function noSuch(wanted: 'run' | 'approval' | 'grant', id: string): HttpError {
  const shown = JSON.stringify(id.slice(0, 100))
  const hint = hintOf(wanted, id)
  return new HttpError('not_found', `there is no ${wanted} ${shown}${hint === undefined ? '' : `; ${hint}`}`)
}

function hintOf(wanted: IdKind, id: string): string | undefined {
  const inRun = /^(.+)\/\d+$/.exec(id)?.[1]
  if (inRun !== undefined) return `that is a call of run ${JSON.stringify(inRun.slice(0, 100))}`
  const other = Object.entries(KINDS).find(([, { prefix }]) => id.startsWith(prefix))
  if (other === undefined || other[0] === wanted) return undefined
  const [kind, { where }] = other
  const article = kind === 'approval' ? 'an' : 'a'
  return `that is the id of ${article} ${kind} (${where}); ids of ${wanted}s begin with "${KINDS[wanted].prefix}"`
}
