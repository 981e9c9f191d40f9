/** Ids that an absent tool is explained with: more is a listing. */
export const NEAREST_COUNT = 3
