/** What a problem quotes of a value: enough to recognise it, short enough for one line. */
export const QUOTED_VALUE_CHARS = 60

/** A name given by its beginning; shorter ones are shared by names that have nothing to do with each other. */
export const CUT_NAME_CHARS = 4
