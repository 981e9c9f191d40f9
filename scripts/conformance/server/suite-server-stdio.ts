// The same server as a child process that talks over stdin and stdout.
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Server } from '@modelcontextprotocol/server'
import { createSuiteServer } from './create-suite-server.ts'

serveStdio(() => {
  const server: Server = createSuiteServer({
    toolsChanged: () => void server.sendToolListChanged(),
    promptsChanged: () => void server.sendPromptListChanged(),
  })
  return server
})
