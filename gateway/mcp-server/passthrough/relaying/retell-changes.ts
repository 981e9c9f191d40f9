import type { JsonObject } from '../../../../catalog/json.ts'
import type { Passing } from './passing.ts'

export interface Retelling {
  /** What goes to the client on this stream. */
  note(message: JsonObject): void
  /** The stream has ended. */
  end(): void
}

/**
 * That its tools have changed a server tells its client and the gateway in one moment, and the client asks at once for their list:
 * before the catalog has taken the change up, without which a tool is not shown. So the client is told again when it has, in the
 * server's own words: those of a subscription name it.
 */
export function retellChanges(
  { whenToolsChange }: Pick<Passing, 'whenToolsChange'>,
  send: (message: JsonObject) => Promise<void>,
): Retelling {
  let told: JsonObject | undefined
  let stop: (() => void) | undefined
  return {
    note(message) {
      if (message['method'] !== TOOLS_CHANGED) return
      told = message
      stop ??= whenToolsChange(() => void (told && send(told)))
    },
    end: () => stop?.(),
  }
}

const TOOLS_CHANGED = 'notifications/tools/list_changed'
