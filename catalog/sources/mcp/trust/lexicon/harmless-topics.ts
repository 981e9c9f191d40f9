/**
 * Whether a tool is for something that needs its input and nothing else: numbers, dates, words, jokes. Whatever such a
 * tool does to files, keys or machines is not what it is for.
 */
export function isHarmlessTopic(business: ReadonlySet<string>): boolean {
  return [...business].some((word) => WORDS.has(word) || ROOTS.some((root) => word.startsWith(root)))
}

const WORDS = new Set(
  'add adds sum sums max maximum min minimum mean median mode age ages day days date dates time times clock hour hours zone zones unit units length lengths max word words letter letters vowel vowels case trim trims pad slug slugs dice die coin coins card deck joke jokes fact facts quote quotes poem poems name names tip tips tax bmi vat loan color colors colour colours rgb hex roman hello greeting emoji font fonts rhyme rhymes pun puns song songs lyrics tide tides moon sign prime primes gcd pi cube cubes square squares root power area percent score scores md5 crc rank ranks'.split(
    ' ',
  ),
)
const ROOTS =
  'subtract multipl divid averag calculat comput comparis convert round statist factor fibonacci matri temperatur celsius fahrenheit kilomet currenc weather forecast horoscop zodiac calendar timezon stopwatch timer revers uppercas lowercas capitali palindrom string charact dictionar thesaur synonym glossar spell gramma translat translit morse lorem placehold random uuid trivia riddle haiku recip sudoku wordl puzzle crossword palett barcod anagram pluraliz hyphen binary decimal numer number integer arithmet math geometr bookmark'.split(
    ' ',
  )

/**
 * Whether a tool is what has to be called before the others of its server work at all: a login, a start. Those who write
 * one say so.
 */
export function isSetupTopic(business: ReadonlySet<string>): boolean {
  return [...business].some((word) => SETUP_ROOTS.some((root) => word.startsWith(root)))
}

/** Beginnings of words. */
export const SETUP_ROOTS =
  'connect login logon auth signin sign session init start setup bootstrap activ open launch load reset configur credential regist unlock onboard attach select'.split(
    ' ',
  )

/** Whether a tool's name and purpose say nothing of what it is for: a helper, a utility. */
export function isVagueTopic(business: ReadonlySet<string>): boolean {
  return [...business].every((word) => VAGUE.has(word) || word.length < 3)
}

const VAGUE = new Set(
  'tool tools utility utilities util utils helper helpers misc miscellaneous general generic function functions action actions task tasks job jobs glue noop nothing shortcut shortcuts quick simple small handy thing things stuff wrapper process processor handler service module plugin extension agent assistant smart plus the this that with and for use should must please will has have needs your code does nothing itself server mcp run call calls when'.split(
    ' ',
  ),
)
