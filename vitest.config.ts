import { defineConfig } from 'vitest/config'
import { htmlPagesInTests } from './infra/html-page.ts'

export default defineConfig({
  plugins: [htmlPagesInTests],
  test: {
    include: ['test/**/*.test.ts'],
    // A busy machine makes tests slow, not wrong.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    exclude: ['test/browser/**'],
    reporters: ['default', './test/support/tally.ts'],
    globalSetup: 'test/support/bundles.ts',
  },
})
