import { defineConfig } from 'vitest/config'
import { htmlPagesInTests } from './infra/html-page.ts'

export default defineConfig({
  plugins: [htmlPagesInTests],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**'],
    reporters: ['default', './test/support/tally.ts'],
    globalSetup: 'test/support/bundles.ts',
  },
})
