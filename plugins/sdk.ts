import type { Static, TSchema } from 'typebox'
import type { HookEvent, HookHandlers } from '../bridge/hooks.ts'
import type { JsonObject } from '../catalog/json.ts'
import type { ExecuteContext, ToolAnnotations } from '../catalog/tool.ts'

export { Type } from 'typebox'
export type { Static } from 'typebox'
export type { Caller } from '../catalog/caller.ts'
export type { JsonObject, JsonValue } from '../catalog/json.ts'
export type { ContentBlock, ExecuteContext, ToolAnnotations, ToolResult } from '../catalog/tool.ts'
export { ToolUnavailable } from '../catalog/tool.ts'
export type { ApprovalDecision, ApprovalSeverity } from '../bridge/approval.ts'
export type {
  AfterModelCallEvent,
  AfterToolCall,
  AfterToolCallEvent,
  BeforeModelCallDecision,
  BeforeModelCallEvent,
  BeforeToolCall,
  BeforeToolCallDecision,
  BeforeToolCallEvent,
  HookEvent,
  HookHandlers,
  RequireApproval,
  ToolResultEvent,
  TurnEndEvent,
  TurnStartDecision,
  TurnStartEvent,
} from '../bridge/hooks.ts'
export type { Outcome } from '../bridge/outcome.ts'

/** What arguments are once they fit schema `S` (TypeBox, or a JSON Schema literal); any object where that is not known. */
export type ArgumentsOf<S extends TSchema> = unknown extends Static<S> ? JsonObject : Static<S>

/** One tool. Its id becomes `plugin:<plugin id>:<name>`. */
export interface PluginTool<S extends TSchema = TSchema> {
  /** 1 to 128 characters, unique in the plugin; `snake_case` verbs read best: `create_invoice`. */
  readonly name: string
  /** Shown to people. `label` is read as the same thing; give one of the two. */
  readonly title?: string
  readonly label?: string
  /** What it does, when to use it and what it gives back: this is the text that search ranks and the model reads. */
  readonly description: string
  /**
   * JSON Schema (2020-12 or draft-07) of the arguments, `type: "object"` at its root; a TypeBox object is one.
   * Arguments are validated against it before `execute` sees them. Default: no arguments.
   */
  readonly parameters?: S
  /** JSON Schema of the structured result. A result that does not fit it ends the call as `invalid-output`. */
  readonly outputSchema?: TSchema
  /**
   * Hints that policy and people rely on; absent hints count as unknown. `readOnlyHint`: changes nothing;
   * `destructiveHint`: may lose something; `idempotentHint`: the same call again changes nothing more;
   * `openWorldHint`: reaches outside of this process.
   */
  readonly annotations?: ToolAnnotations
  /** Example arguments, each valid against `parameters`. */
  readonly examples?: readonly NoInfer<ArgumentsOf<S>>[]
  /**
   * Runs the tool. What it returns:
   * - a string: the result's text;
   * - any other JSON value: the structured result, and its JSON as text. `undefined` counts as `null`; what is not
   *   JSON (a function, a cycle, a bigint) fails the call;
   * - a `ToolResult`, i.e. an object with an array `content` of content blocks and nothing but `structured` and
   *   `isError` beside it: taken as it is. `isError: true` ends the call as `failed`.
   *
   * @throws anything: the call ends `failed` with the error's message (redacted, at most 2 KB, never the stack).
   * @throws {ToolUnavailable} to say that nothing was tried: the call ends `unavailable` and may be repeated.
   */
  execute(args: ArgumentsOf<S>, context: ExecuteContext): unknown
}

/** Where a plugin writes; lines carry its id. Credential-like values are redacted by the gateway. */
export interface PluginLog {
  debug(message: string, fields?: JsonObject): void
  info(message: string, fields?: JsonObject): void
  warn(message: string, fields?: JsonObject): void
  error(message: string, fields?: JsonObject): void
}

export interface HookOptions {
  /** Higher runs earlier. Default 0; ties run in order of registration. */
  readonly priority?: number
  /**
   * Pattern over tool ids and names: `*` is any text, case does not matter. For the events of model calls it is over
   * `<provider>/<model>`, for those of turns over the agent's name. Default: every one.
   */
  readonly matcher?: string
}

/** What `register` gets. Everything but `log` and `config` may be used until `register` has ended, not later. */
export interface PluginApi<Config = JsonObject> {
  /** `plugins.entries.<id>.config` of the configuration (`{}` where absent), valid against `configSchema`. Frozen. */
  readonly config: Config
  readonly log: PluginLog
  /**
   * Adds a tool. A definition that cannot be read leaves out this one tool and is reported; the plugin goes on.
   * @throws {Error} when the name is taken by an earlier tool (the whole plugin is then not loaded), or after `register`
   */
  registerTool<const S extends TSchema>(tool: PluginTool<S>): void
  /**
   * Adds a handler. Each gets a copy of its event, and 15 s (`hooks.budgetMs`). One that decides and throws, or takes
   * longer, refuses what it was asked about, with this plugin named; the failure of one that only watches is logged.
   *
   * - `before_tool_call`, once the arguments are valid and ahead of policy and approval: nothing to let the call pass,
   *   `{ params }` to replace the whole input, which is validated again, `{ block: true, blockReason }` to refuse,
   *   `{ requireApproval }` to have a person asked.
   * - `tool_result`: nothing, or the result that goes on in the place of the tool's.
   * - `after_tool_call`: watches each call that was made, with its outcome.
   * - `before_model_call`: `{ params }` to replace the request parameters, `{ block: true, blockReason }` to end the turn.
   * - `after_model_call`: watches.
   * - `turn_start`: `{ toolsAllow }` to narrow the tools of this turn, `{ block: true, blockReason }` to refuse it.
   * - `turn_end`: watches.
   */
  on<Event extends HookEvent>(event: Event, handler: HookHandlers[Event], options?: HookOptions): void
  /**
   * Runs when the plugin is unloaded: at the gateway's stop, when it is disabled, and when its configuration changes
   * (then after the new registration stands). Handlers run in reverse order, at most 5 s each.
   */
  onClose(handler: () => unknown): void
}

export interface PluginDefinition<Config = unknown> {
  /** Lower-case letters, digits, `-` and `_`, starting with a letter, at most 64 characters. Unique in a gateway. */
  readonly id: string
  /** For whoever reads the file: people are shown a plugin by its `id`. */
  readonly name?: string
  readonly description?: string
  /** JSON Schema of `plugins.entries.<id>.config`; a plugin whose configuration does not fit is not loaded. */
  readonly configSchema?: TSchema
  /** Registers tools and hooks. May be async; it has 10 s. When it throws, nothing of it is registered. */
  register(api: PluginApi<Config>): void | Promise<void>
}

/** A plugin as the host takes it. */
export type Plugin = PluginDefinition

/**
 * Declares a plugin; make it the default export of its entry file. `api.config` and the arguments of every tool are
 * typed from their schemas.
 *
 * @example
 * import { definePlugin, Type } from 'drawbridge-gateway/plugin'
 *
 * export default definePlugin({
 *   id: 'weather',
 *   configSchema: Type.Object({ units: Type.Union([Type.Literal('metric'), Type.Literal('imperial')]) }),
 *   register(api) {
 *     api.registerTool({
 *       name: 'get_forecast',
 *       description: 'Forecast for a city for up to seven days.',
 *       parameters: Type.Object({ city: Type.String(), days: Type.Integer({ minimum: 1, maximum: 7 }) }),
 *       annotations: { readOnlyHint: true, openWorldHint: true },
 *       execute: async ({ city, days }, { signal }) => fetchForecast(city, days, api.config.units, signal),
 *     })
 *   },
 * })
 */
export function definePlugin<const C extends TSchema = TSchema>(
  definition: Omit<PluginDefinition<ConfigOf<C>>, 'configSchema'> & { readonly configSchema?: C },
): Plugin {
  return definition
}

/** What `api.config` is for a configuration schema. */
export type ConfigOf<C extends TSchema> = ArgumentsOf<C>
