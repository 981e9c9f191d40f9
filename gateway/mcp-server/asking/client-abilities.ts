import type { ClientCapabilities } from '@modelcontextprotocol/server'
import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server'
import type { ScreenedQuestion } from '../../../bridge/asking/screen-question.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { CallContext } from '../answering/call-context.ts'

/** What a client can be asked in the middle of its call, by what it says of itself. */
export type ClientAbilities = Readonly<Record<ScreenedQuestion['kind'], boolean>>

export function abilitiesOf(context: CallContext, initialized: ClientCapabilities | undefined): ClientAbilities {
  const { envelope } = context.mcpReq
  // Of the stateless revision each request says so itself.
  const stated: unknown = envelope === undefined ? initialized : Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY)
  const { elicitation, sampling } = isJsonObject(stated) ? stated : {}
  const asks = isJsonObject(elicitation) ? elicitation : undefined
  return {
    // Without a word on the form of it the form is what was meant.
    form: asks !== undefined && (asks['form'] !== undefined || asks['url'] === undefined),
    url: asks?.['url'] !== undefined,
    sample: isJsonObject(sampling),
  }
}
