import type { JsonObject } from '../../../../catalog/json.ts'
import type { CliDeps } from '../../cli-deps.ts'
import { APPROVAL_INPUT_CHARS } from '../../limits.ts'
import { createOutput, harmless, oneLine } from '../../output.ts'
import type { ApprovalFlags } from './approvals-actions.ts'
import { ask } from './approvals-actions.ts'
import { objectsOf, textOf } from '../failed-answer.ts'

interface Asked {
  readonly flags: ApprovalFlags
  readonly deps: CliDeps
}

export async function listGrants({ flags, deps }: Asked): Promise<void> {
  const output = createOutput(deps)
  const { body } = await ask({ method: 'GET', path: '/v1/grants' }, { flags, deps })
  if (flags.json) return output.json(body)
  const grants = objectsOf(body['grants'])
  for (const grant of grants) {
    output.line(lineOf(grant))
    if (grant['args'] !== undefined) {
      output.line(output.dim(`    where ${oneLine(JSON.stringify(grant['args']), APPROVAL_INPUT_CHARS)}`))
    }
  }
  return output.note(grants.length === 1 ? '1 grant' : `${grants.length} grants`)
}

export async function revokeGrant({ id, flags, deps }: Asked & { readonly id: string }): Promise<void> {
  const output = createOutput(deps)
  const { body } = await ask({ method: 'DELETE', path: `/v1/grants/${encodeURIComponent(id)}` }, { flags, deps })
  if (flags.json) return output.json(body)
  return output.line(harmless(`${textOf(body, 'id')} is ${textOf(body, 'state')}: ${textOf(body, 'toolId')}`))
}

function lineOf(grant: JsonObject): string {
  const text = (key: string): string => textOf(grant, key) ?? ''
  const { createdMs, untilMs } = grant
  const dates = [
    ...(typeof createdMs === 'number' ? [`since ${new Date(createdMs).toISOString()}`] : []),
    ...(typeof untilMs === 'number' ? [`until ${new Date(untilMs).toISOString()}`] : []),
  ]
  return harmless(
    [text('id'), text('state'), text('toolId'), `agent ${text('agent')}`, `by ${text('grantedBy')}`, ...dates].join(
      '  ',
    ),
  )
}
