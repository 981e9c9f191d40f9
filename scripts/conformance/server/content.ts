import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'

/** A red pixel. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** A tenth of a millisecond of silence. */
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=='

export function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] }
}

export const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' }
export const audio: ContentBlock = { type: 'audio', data: WAV, mimeType: 'audio/wav' }
