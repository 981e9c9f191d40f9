import type { Pending } from '../../bridge/approval.ts'

type AwaitedApproval = Extract<Pending, { readonly approval: string }>

/**
 * What a person in the chat reads while the turn waits; empty where it waits for nobody. It names only ways that are open:
 * a line in the chat where somebody's line is heard.
 */
export function waitingNote(
  approvals: readonly AwaitedApproval[],
  { isChatHeard }: { readonly isChatHeard: boolean },
): string {
  const [first] = approvals
  if (first === undefined) return ''
  const lines = approvals.map(
    ({ approval, title, expiresMs }) =>
      `- ${title} (${approval}, until ${new Date(expiresMs).toISOString()}): /v1/approvals/${approval}`,
  )
  const what = approvals.length === 1 ? 'A call waits' : `${approvals.length} calls wait`
  const ways = [
    `\`drawbridge approvals resolve ${first.approval} allow-once\``,
    ...(isChatHeard ? [`writing "/approve ${first.approval} allow-once"`] : []),
  ]
  return [
    `${what} for somebody's approval:`,
    ...lines,
    `Whoever may decide can do so there, or by ${ways.join(', or by ')} (or allow-always, deny). The answer follows once it is decided.`,
  ].join('\n')
}
