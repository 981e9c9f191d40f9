/** JSON of all values that the programs of one session keep. */
export const SESSION_VALUES_MAX_BYTES = 1_048_576
