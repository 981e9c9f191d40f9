import type { JsonObject } from '../../catalog/json.ts'

/** 1: what was asked for failed. 2: it was asked for wrongly, or the configuration is wrong. */
export type FailureExitCode = 1 | 2

/** Ends a command. The message is for people, `details` for `--json`. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure'
  readonly exitCode: FailureExitCode
  readonly details: JsonObject
  constructor(exitCode: FailureExitCode, message: string, details: JsonObject = {}) {
    super(message)
    this.exitCode = exitCode
    this.details = details
  }
}
