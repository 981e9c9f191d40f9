import type { JsonObject } from '../../../catalog/json.ts'
import { isJsonObject } from '../../../catalog/json.ts'
import type { TurnEvent } from '../turn.ts'

/** Between the texts of two model steps in the one answer that a client sees. */
export const STEP_SEPARATOR = '\n\n'

export interface StepTextOptions {
  readonly emit: (event: TurnEvent) => Promise<void>
  /** Whether an earlier step of the turn spoke: then a blank line stands between. */
  readonly isContinued: boolean
  /** Whether the model may call something in this step. */
  readonly mayCall: boolean
  /** Of the request. */
  readonly parameters: JsonObject
}

/** What the model says in one step, and how its client is given it. */
export class StepText {
  readonly #options: StepTextOptions
  readonly #isHeld: boolean
  #text = ''
  #isShown = false

  /**
   * A client that asks for JSON parses the whole answer, so that what a model says beside its calls would spoil it: the text
   * of a step that may call is held until it is known to be the answer.
   */
  constructor(options: StepTextOptions) {
    this.#options = options
    this.#isHeld = options.mayCall && asksForJson(options.parameters)
  }

  get text(): string {
    return this.#text
  }

  /** Whether the client has been given any of it. */
  get isShown(): boolean {
    return this.#isShown
  }

  async add(part: string): Promise<void> {
    this.#text += part
    if (!this.#isHeld) await this.#show(part)
  }

  async end(hasCalls: boolean): Promise<void> {
    if (this.#isHeld && !hasCalls && this.#text !== '') await this.#show(this.#text)
  }

  async #show(text: string): Promise<void> {
    const { emit, isContinued } = this.#options
    if (isContinued && !this.#isShown) await emit({ kind: 'text', text: STEP_SEPARATOR })
    this.#isShown = true
    await emit({ kind: 'text', text })
  }
}

function asksForJson({ response_format: format }: JsonObject): boolean {
  return isJsonObject(format) && (format['type'] === 'json_object' || format['type'] === 'json_schema')
}
