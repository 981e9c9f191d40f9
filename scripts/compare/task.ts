import type { JsonObject } from '../../catalog/json.ts'

/** What the user asks in every mode, and what a model that reads it knows. */
export interface Task {
  readonly message: string
  /** What a model would search for. */
  readonly query: string
  /** The tool that does it, under the plugin's own name for it. */
  readonly tool: string
  /** The arguments that can be read from the message. */
  readonly args: JsonObject
}

/** Id of the plugin that `writeCatalogPlugin` writes. */
export const PLUGIN_ID = 'depot'

export const TASK: Task = {
  message:
    'Please print the shipping label for order A-1042 with express service: two parcels, 1200 g and 450 g. Tell me the label number.',
  query: 'print shipping label for an order',
  tool: 'print_shipping_label',
  args: { order_id: 'A-1042', service: 'express', parcels: [{ weight_grams: 1200 }, { weight_grams: 450 }] },
}

/** What is said before the task: whoever answers first loads and compiles for all who follow, and is not to pay for it. */
export const GREETING = 'Hello!'

/** The form of a label number, wherever it stands in a result. */
export const LABEL_NUMBER = /LBL-[0-9A-F]{12}/
