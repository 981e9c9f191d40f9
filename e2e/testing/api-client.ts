/** Speaks JSON to a gateway with one token. */
export type ApiClient = ReturnType<typeof createApiClient>

export type HeaderFields = Readonly<Record<string, string>>

export function createApiClient(url: string, token: string | undefined) {
  const authorization: HeaderFields = token === undefined ? {} : { authorization: `Bearer ${token}` }

  async function send(method: 'GET' | 'POST', path: string, { body, headers, signal }: Sending) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...authorization, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      // A text goes as it is: how a body that is not JSON, or that no encoder would write, is sent.
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  return {
    get: (path: string, headers: HeaderFields = {}) => send('GET', path, { headers }),
    post: (path: string, body: unknown, options: Omit<Sending, 'body'> = {}) =>
      send('POST', path, { body, ...options }),
    /** Runs a program and gives the run. */
    run: async (code: string, more: object = {}) => (await send('POST', '/v1/runs', { body: { code, ...more } })).body,
    /** Calls a tool by id or name. */
    call: (tool: string, args: unknown, headers: HeaderFields = {}) =>
      send('POST', `/v1/tools/${encodeURIComponent(tool)}/call`, { body: { args }, headers }),
    search: async (query: string, headers: HeaderFields = {}) =>
      (await send('POST', '/v1/tools/search', { body: { query }, headers })).body,
    /** One turn without streaming. */
    chat: (content: string, more: object = {}, headers: HeaderFields = {}) =>
      send('POST', '/v1/chat/completions', {
        body: { model: 'drawbridge', messages: [{ role: 'user', content }], ...more },
        headers,
      }),
  }
}

interface Sending {
  readonly body?: unknown
  readonly headers?: HeaderFields
  readonly signal?: AbortSignal
}
