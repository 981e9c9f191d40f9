import type { JsonObject } from '../../catalog/json.ts'
import { signatureOf } from '../../catalog/signature.ts'
import type { Tool } from '../../catalog/tool.ts'
import { FUNCTION_DESCRIPTION_MAX_LENGTH } from '../limits.ts'
import { portableParameters } from './portable-parameters.ts'

/** The parameters as every provider takes them, and what to say beside them where they say less than the schema. */
export function shownParameters(tool: Tool): { readonly parameters: JsonObject; readonly call: string } {
  const { parameters, isWhole } = portableParameters(tool.inputSchema)
  // The signature has what plain parameters cannot say.
  const call = isWhole ? '' : ` Call: ${signatureOf(tool, { maxChars: CALL_MAX_LENGTH, result: 'named' })}`
  return { parameters, call }
}

/** Of a function's description, so that the words come first. */
const CALL_MAX_LENGTH = FUNCTION_DESCRIPTION_MAX_LENGTH / 2
