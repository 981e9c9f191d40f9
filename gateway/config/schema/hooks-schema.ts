import { HOOK_BUDGET_MS } from '../../../bridge/limits.ts'
import { Type } from '../../schema/type.ts'
import { section } from './schema-parts.ts'

export const hooksSchema = section('Handlers that plugins put before and after calls, model steps and turns.', {
  budgetMs: Type.Integer({
    default: HOOK_BUDGET_MS,
    minimum: 10,
    maximum: 600_000,
    description: 'Time of one handler, in ms. One that decides and takes longer refuses what it was asked about.',
  }),
})
