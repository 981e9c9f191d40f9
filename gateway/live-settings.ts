import { createRedactor } from '../bridge/redact.ts'
import type { JsonValue } from '../catalog/json.ts'
import type { ReadConfig, ResolvedConfig } from './config/read-config.ts'
import type { ToolSearch } from './config/tool-search.ts'
import { toolSearchOf } from './config/tool-search.ts'
import type { ConfigText } from './explaining/config-places.ts'
import type { ChooseModel } from './providers/choose-model.ts'
import { createChooseModel } from './providers/choose-model.ts'

/** A configuration without a fault, and the file that it comes from. */
export type GoodConfig = Extract<ReadConfig, { kind: 'read' }> & { readonly source?: string | undefined }

/** What follows from one configuration. */
export interface Settings {
  readonly config: ResolvedConfig
  readonly toolSearch: ToolSearch
  readonly chooseModel: ChooseModel
  readonly agents: readonly string[]
  /** As it was written. */
  readonly text: ConfigText
}

/** The configuration in force; replaced whole, so that nobody ever sees half of two. */
export interface LiveSettings {
  current(): Settings
  replace(next: GoodConfig): void
  /** Takes credentials and the configured secrets out of a text. */
  redactText(text: string): string
  /** The same of any plain JSON: texts are replaced, the shape stays. */
  redactShape<T>(value: T): T
}

export function createLiveSettings(first: GoodConfig, environmentToken: string | undefined): LiveSettings {
  let settings = settingsOf(first)
  let redactor = redactorOf(first, environmentToken)
  return {
    current: () => settings,
    replace(next) {
      // Both are made before either holds: what fails changes nothing.
      const made = { settings: settingsOf(next), redactor: redactorOf(next, environmentToken) }
      settings = made.settings
      redactor = made.redactor
    },
    redactText: (text) => redactor.text(text),
    redactShape<T>(value: T): T {
      const json: JsonValue = JSON.parse(JSON.stringify(value))
      return JSON.parse(JSON.stringify(redactor.json(json)))
    },
  }
}

function settingsOf({ config, text, source: file }: GoodConfig): Settings {
  return {
    text: { text, file },
    config,
    toolSearch: toolSearchOf(config),
    chooseModel: createChooseModel(config),
    agents: Object.keys(config.agents),
  }
}

function redactorOf(
  { config, secrets }: GoodConfig,
  environmentToken: string | undefined,
): ReturnType<typeof createRedactor> {
  const own = environmentToken === undefined ? [] : [environmentToken]
  return createRedactor({ patterns: config.redact.patterns, secrets: [...secrets, ...own] })
}
