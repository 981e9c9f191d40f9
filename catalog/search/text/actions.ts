/** What a tool does, or a request asks for, in the coarsest sense. */
const ACTIONS = ['read', 'create', 'update', 'delete', 'send', 'compute', 'control'] as const
export type Action = (typeof ACTIONS)[number]

const VERBS: Readonly<Record<Action, string>> = {
  read: `get fetch retrieve obtain read show view display list enumerate find search lookup query discover locate
    browse tell check see watch track monitor explore inspect describe what which who where when how`,
  create: 'create add make new insert generate register build post write compose draft book reserve schedule upload',
  update: 'update edit modify change set alter revise adjust rename put patch replace move assign configure save',
  delete: 'delete remove erase drop discard destroy clear purge cancel uninstall unfollow unsubscribe revoke',
  send: 'send deliver mail email notify forward share publish tweet message reply invite submit',
  compute: `calculate compute convert translate transform solve analyze evaluate compare estimate predict summarize
    classify detect encode decode`,
  control: 'start stop run execute launch open close play pause resume enable disable activate lock unlock turn',
}

export type ActionOf = (term: string) => number

/** Number of the action + 1 for a term that names one; 0 for any other. */
export function createActionOf(termOf: (word: string) => string): ActionOf {
  const numbers = new Map<string, number>()
  ACTIONS.forEach((action, index) => {
    for (const verb of VERBS[action].split(/\s+/)) numbers.set(termOf(verb), index + 1)
  })
  return (term) => numbers.get(term) ?? 0
}

const GENERIC_VERBS = `get fetch retrieve list show view display find search lookup query check read create add make new
  write update edit modify change set delete remove run execute start stop open close put post send call do manage handle
  process give use perform`

/** True for a verb that fits tools of any kind, so that sharing it alone proves nothing. */
export function createIsGenericVerb(termOf: (word: string) => string): (term: string) => boolean {
  const terms = new Set(GENERIC_VERBS.split(/\s+/).map(termOf))
  return (term) => terms.has(term)
}
