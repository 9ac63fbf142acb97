import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**'],
    reporters: ['default', './test/support/tally.ts'],
    globalSetup: 'test/support/bundles.ts',
  },
})
