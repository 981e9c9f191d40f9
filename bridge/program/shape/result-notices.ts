import type { Notice } from '../../outcome.ts'

/** What is said of how a program gives its result. */
export const RESULT_NOTICES = {
  called: {
    code: 'function-called',
    message:
      'the program only defined a function, which was called and its value returned; write the body alone, ending with `return …`',
  },
  returned: {
    code: 'value-returned',
    message: 'the program ended without `return`; the value of its last expression was taken as the result',
  },
  data: {
    code: 'value-returned',
    message:
      'the program is JSON, which calls nothing, and was given back as it is; to do something send JavaScript, e.g. return await tools.search("…")',
  },
  nothingCalled: {
    code: 'nothing-called',
    message: 'the program only defined things and ran none of them; call what you mean and return its value',
  },
  nothingReturned: {
    code: 'nothing-returned',
    message: 'the program has no `return` and logs nothing, so it gives nothing; end it with `return …`',
  },
  timerLeft: {
    code: 'timer-left',
    message:
      'the program ends by starting a timer, which does not fire once it has ended; write await new Promise((resolve) => setTimeout(resolve, ms)), then what is to be done',
  },
  lineEnd: {
    code: 'return-joined',
    message: '`return` alone on its line returns nothing; the value on the next line was returned',
  },
} as const satisfies Readonly<Record<string, Notice>>
