/** What the commands need of the world around them. */
export interface CliDeps {
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
  /** Whether stdout is a terminal: only then are there colours. */
  readonly isTerminal: boolean
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly now: () => number
  readonly fetch: typeof fetch
  readonly readFile: (file: string) => Promise<string>
  readonly readStdin: () => Promise<string>
  /** What is typed, line by line, until the input or the signal ends. */
  readonly readLines: (signal: AbortSignal) => AsyncIterable<string>
  /** Opens an address in the person's browser, where there is one. */
  readonly openUrl: (url: string) => void
  readonly version: string
  /** `(url) => import(url)`; given by the entry file, since a test runner's import is not Node's. */
  readonly importModule: (url: string) => Promise<unknown>
  /** What a plugin that was tried still holds open must not keep the command from ending. */
  readonly abandonHandles: () => void
  /** Runs the gateway until it ends, and gives the exit code. */
  readonly serve: (options: ServeOptions) => Promise<number>
  /** Serves an MCP client on stdin and stdout until it goes, and gives the exit code. */
  readonly serveStdio: (options: McpServeOptions) => Promise<number>
}

export interface McpServeOptions {
  readonly stateDirectory: string
  readonly configFile?: string
  /** Agent and session that the client is served as. */
  readonly headers: Readonly<Record<string, string>>
}

/** What flags and environment say together; a flag wins. */
export interface ServeOptions {
  readonly host?: string
  readonly port?: number
  readonly stateDirectory: string
  readonly configFile?: string
  readonly token?: string
  /** One line of JSON when it listens, instead of the banner. */
  readonly json?: boolean
}
