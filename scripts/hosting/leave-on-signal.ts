/** As a shell tells it. */
const INTERRUPTED_EXIT_CODE = 130

/**
 * Lets an interrupt end this command by an exit, so that what is done on exit takes its gateways and servers along. It
 * may come twice, from the terminal and from the launcher: the second must not end the process before that is done.
 */
export function leaveOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(INTERRUPTED_EXIT_CODE))
  }
}
