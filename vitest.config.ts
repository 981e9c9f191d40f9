import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{catalog,policy,bridge,plugins,gateway,scripts,e2e}/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: process.env['CI'] === undefined ? ['default'] : ['dot'],
  },
})
