import type { JsonObject, JsonValue } from '../../../json.ts'
import { isJsonObject } from '../../../json.ts'
import type { ToolIcon, ToolListing } from '../../../tool.ts'
import { ICONS_MAX, LISTING_MAX_LENGTH, VALUE_MAX_DEPTH } from '../limits.ts'
import { isDeeperThan } from './tool-result.ts'

/** `icons` and `_meta` of a listed tool, which hosts show and read; what is misshapen or too large is left out. */
export function readListing(raw: JsonObject): { readonly listing?: ToolListing } {
  const icons = readIcons(raw['icons'])
  const meta = readMeta(raw['_meta'])
  if (icons.length === 0 && meta === undefined) return {}
  return { listing: { ...(icons.length > 0 && { icons }), ...(meta && { meta }) } }
}

function readIcons(value: JsonValue | undefined): readonly ToolIcon[] {
  if (!Array.isArray(value)) return []
  const icons = value.slice(0, ICONS_MAX).flatMap(readIcon)
  return JSON.stringify(icons).length <= LISTING_MAX_LENGTH ? icons : []
}

function readIcon(value: JsonValue): readonly ToolIcon[] {
  if (!isJsonObject(value)) return []
  const { src, mimeType, sizes, theme } = value
  // A picture, from where a host may look for one: no script, no file of the one who looks.
  if (typeof src !== 'string' || !/^(?:https:\/\/|data:image\/)/i.test(src)) return []
  const named = Array.isArray(sizes) ? sizes.filter((size) => typeof size === 'string') : []
  return [
    {
      src,
      ...(typeof mimeType === 'string' && { mimeType }),
      ...(named.length > 0 && { sizes: named }),
      ...((theme === 'light' || theme === 'dark') && { theme }),
    },
  ]
}

function readMeta(value: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(value) || isDeeperThan(value, VALUE_MAX_DEPTH) || Object.keys(value).length === 0) return undefined
  return JSON.stringify(value).length <= LISTING_MAX_LENGTH ? value : undefined
}
