import type { AskPerson } from '../../../../question.ts'

/** The server is silent for as long as a person thinks. */
export function unhurried(ask: AskPerson | undefined, pauseClock: () => () => void): AskPerson | undefined {
  return (
    ask &&
    (async (question, signal) => {
      const resume = pauseClock()
      try {
        return await ask(question, signal)
      } finally {
        resume()
      }
    })
  )
}
