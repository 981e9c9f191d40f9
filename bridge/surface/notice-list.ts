import { NOTICES_OF_A_KIND } from '../limits.ts'
import type { Notice } from '../outcome.ts'

/** The notices of a run: the same repair of a loop's hundred calls is said once, and of a hundred repairs the first few. */
export class NoticeList {
  readonly #kinds = new Map<string, Map<string, Notice>>()
  readonly #more = new Set<string>()

  add(notices: readonly Notice[]): void {
    for (const notice of notices) {
      const kind = this.#kinds.get(notice.code) ?? new Map<string, Notice>()
      this.#kinds.set(notice.code, kind)
      if (kind.has(notice.message)) continue
      if (kind.size < NOTICES_OF_A_KIND) kind.set(notice.message, notice)
      else this.#more.add(notice.code)
    }
  }

  all(): readonly Notice[] {
    return [...this.#kinds].flatMap(([code, kind]) => [
      ...kind.values(),
      ...(this.#more.has(code)
        ? [{ code, message: `there were more of the kind; only the first ${kind.size} are told` }]
        : []),
    ])
  }
}
