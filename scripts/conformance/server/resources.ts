import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server'
import { PNG } from './content.ts'

export const resources: readonly Resource[] = [
  {
    uri: 'test://static-text',
    name: 'Static text',
    description: 'A text that never changes',
    mimeType: 'text/plain',
  },
  {
    uri: 'test://static-binary',
    name: 'Static picture',
    description: 'A picture that never changes',
    mimeType: 'image/png',
  },
  {
    uri: 'test://watched-resource',
    name: 'Watched text',
    description: 'A text that can be subscribed to',
    mimeType: 'text/plain',
  },
]

export const templates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: 'test://template/{id}/data',
    name: 'Data by id',
    description: 'Made from the id in its address',
    mimeType: 'application/json',
  },
]

/** What stands at an address, or undefined. */
export function readResource(uri: string): ReadResourceResult | undefined {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id !== undefined) {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
    return { contents: [{ uri, mimeType: 'application/json', text: data }] }
  }
  switch (uri) {
    case 'test://static-text':
      return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] }
    case 'test://static-binary':
      return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] }
    case 'test://watched-resource':
      return { contents: [{ uri, mimeType: 'text/plain', text: 'Watched resource content' }] }
    default:
      return undefined
  }
}
