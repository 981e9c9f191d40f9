/** Asks again until the answer is something; what it was waiting for stands in the error. */
export async function waitUntil<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = performance.now() + WAIT_BUDGET_MS
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, ASK_INTERVAL_MS))
  }
}

/** Far more than anything here takes: only a hang reaches it. */
const WAIT_BUDGET_MS = 30_000
const ASK_INTERVAL_MS = 50
