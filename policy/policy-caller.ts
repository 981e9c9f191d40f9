import type { Caller } from '../catalog/caller.ts'

/** What of a caller the layers depend on. */
export type PolicyCaller = Omit<Caller, 'tenant' | 'session'>
