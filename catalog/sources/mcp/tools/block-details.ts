import type { JsonObject } from '../../../json.ts'
import { isJsonObject } from '../../../json.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * What a server says of a block beside what it is: whom it is for, how much it matters, what a link is called. Only what the
 * protocol has, and in its form: clients refuse the whole of a result for one member that is not.
 */
export function blockDetails(block: Members): JsonObject | undefined {
  const { annotations, _meta: meta } = block
  const isLink = block['type'] === 'resource_link'
  // Nearly all blocks have none.
  if (annotations === undefined && meta === undefined && !isLink) return undefined
  const noted = isJsonObject(annotations) ? annotationsOf(annotations) : {}
  const details: JsonObject = {
    ...(Object.keys(noted).length > 0 && { annotations: noted }),
    ...(isJsonObject(meta) && { _meta: meta }),
    ...(isLink && linkDetails(block)),
  }
  return Object.keys(details).length > 0 ? details : undefined
}

function annotationsOf({ audience, priority, lastModified }: Members): JsonObject {
  const roles = (Array.isArray(audience) ? audience : []).filter((role) => role === 'user' || role === 'assistant')
  return {
    ...(roles.length > 0 && { audience: roles }),
    ...(typeof priority === 'number' && priority >= 0 && priority <= 1 && { priority }),
    ...(typeof lastModified === 'string' && isTime(lastModified) && { lastModified }),
  }
}

function linkDetails({ title, description, size }: Members): JsonObject {
  return {
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(typeof size === 'number' && { size }),
  }
}

/** ISO 8601 with seconds and a zone; a day that its month has. */
function isTime(text: string): boolean {
  const day = TIME.exec(text)?.[1]
  const atMs = Date.parse(`${day}T00:00:00Z`)
  return day !== undefined && !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(day)
}

const TIME = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/
