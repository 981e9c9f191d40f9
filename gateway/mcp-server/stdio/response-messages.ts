import { readEvents } from '../passthrough/upstream/read-events.ts'

/** The messages of a response, each as one line of JSON: one body, or as many as its stream brings. */
export async function* responseMessages(response: Response): AsyncGenerator<string> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream && response.body !== null) {
    for await (const { data } of readEvents(response.body)) if (data !== '') yield oneLine(data)
    return
  }
  const text = (await response.text()).trim()
  if (text !== '') yield oneLine(text)
}

/** JSON may hold line feeds between its parts; a line of stdio may not. */
function oneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, ' ') : json
}
