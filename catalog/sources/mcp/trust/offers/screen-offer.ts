import type { JsonObject, JsonValue } from '../../../../json.ts'
import { isJsonObject } from '../../../../json.ts'
import { screenTexts } from '../screen-tool.ts'
import type { ScreeningFinding } from '../screening-finding.ts'
import { dataTexts } from '../text/tool-texts.ts'
import { subjectOf } from '../text/purpose.ts'

/**
 * Reads a prompt, a resource or a server's instructions as `screenTool` reads a tool. `siblings` are names that it may
 * speak of.
 */
export function screenOffer(item: JsonObject, siblings: ReadonlySet<string>): readonly ScreeningFinding[] {
  const { name, title, description, arguments: args } = item
  const subject = subjectOf(
    {
      name: textOf(name),
      title: textOf(title),
      description: textOf(description),
      inputSchema: { properties: Object.fromEntries(argumentNames(args).map((each) => [each, {}])) },
    },
    siblings,
  )
  return screenTexts(dataTexts(item), subject)
}

function argumentNames(args: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(args)) return []
  return args.flatMap((arg: JsonValue) => (isJsonObject(arg) ? [textOf(arg['name'])] : []))
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
