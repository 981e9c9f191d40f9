import type { GateDeps } from '../passthrough/judging/gate.ts'

/** Where nothing is screened. */
export const ALL_OFFERS: GateDeps['offers'] = {
  screened: async (_server, { items }) => items,
  isWithheld: () => false,
}

/** Where nothing has to be looked at before. */
export const NO_LOOK: GateDeps['firstLook'] = async () => {}
