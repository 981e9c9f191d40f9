import { spawn } from 'node:child_process'

/** Programs that open an address in the person's browser, none of them by way of a shell. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Does nothing where there is no browser: the address has been printed too. */
export function openInBrowser(address: string): void {
  const url = URL.parse(address)
  // A stranger's server chose it; another kind of address would start another program.
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, url.href], { stdio: 'ignore', detached: true })
  child.on('error', () => {
    // There is none; the person opens it elsewhere.
  })
  child.unref()
}
