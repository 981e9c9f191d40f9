import * as fc from 'fast-check'

/**
 * Property tests draw the same cases on every machine, so that a red build is red for everyone. A new seed looks
 * further: `DRAWBRIDGE_TEST_SEED=<integer> npm test`.
 */
fc.configureGlobal({ seed: Number(process.env['DRAWBRIDGE_TEST_SEED'] ?? 20_261_129) })
