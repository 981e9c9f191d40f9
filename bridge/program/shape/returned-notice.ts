import type { Notice } from '../../outcome.ts'

export const RETURNED_NOTICE: Notice = {
  code: 'value-returned',
  message: 'the program ended without `return`; the value of its last expression was taken as the result',
}
