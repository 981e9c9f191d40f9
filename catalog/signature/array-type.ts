import type { NormalKeywords } from '../schema/keywords.ts'
import type { Place, Printing } from './printing.ts'
import { inner } from './printing.ts'
import type { TypeText } from './type-text.ts'
import { arrayOf, atom, UNKNOWN } from './type-text.ts'

/** A list or a tuple. In a tuple the elements below `minItems` are required, the others may be left out. */
export function arrayType(printing: Printing, keywords: NormalKeywords, place: Place): TypeText {
  const { prefixItems, items, minItems } = keywords
  if (place.depth > printing.detail.depth) return atom(printing.written('unknown[] /* not shown */'))
  const within = inner(place, place.base)
  if (!Array.isArray(prefixItems) || prefixItems.length === 0) {
    return items === undefined ? arrayOf(UNKNOWN) : arrayOf(printing.type(items, { ...within, indent: place.indent }))
  }
  const shown = prefixItems.slice(0, printing.detail.alternatives)
  const elements = shown.map((element, index) => {
    const type = printing.type(element, within)
    const isOptional = index >= (typeof minItems === 'number' ? minItems : 0)
    return isOptional
      ? `${type.kind === 'atom' && !type.text.endsWith('*/') ? type.text : `(${type.text})`}?`
      : type.text
  })
  const isCut = shown.length < prefixItems.length
  const rest = isCut ? UNKNOWN : items === false ? undefined : printing.type(items ?? true, within)
  if (rest !== undefined) elements.push(`...${arrayOf(rest).text}`)
  return atom(`[${elements.join(', ')}]${isCut ? ` /* ${prefixItems.length - shown.length} not shown */` : ''}`)
}
