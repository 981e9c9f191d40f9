import type { Pending } from '../../bridge/approval.ts'

type AwaitedApproval = Extract<Pending, { readonly approval: string }>

/** What a person in the chat reads while the turn waits; empty where it waits for nobody. */
export function waitingNote(approvals: readonly AwaitedApproval[]): string {
  const [first] = approvals
  if (first === undefined) return ''
  const lines = approvals.map(
    ({ approval, title, expiresMs }) =>
      `- ${title} (${approval}, until ${new Date(expiresMs).toISOString()}): /v1/approvals/${approval}`,
  )
  const what = approvals.length === 1 ? 'A call waits' : `${approvals.length} calls wait`
  return [
    `${what} for somebody's approval:`,
    ...lines,
    `Whoever may decide can do so there, by \`drawbridge approvals resolve ${first.approval} allow-once\`, or by writing "/approve ${first.approval} allow-once" (or allow-always, deny). The answer follows once it is decided.`,
  ].join('\n')
}
