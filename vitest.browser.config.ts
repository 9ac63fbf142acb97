import { defineConfig } from 'vitest/config'
import { browsers, patience } from './test/browser/chromium.ts'
import { htmlPagesInTests } from './test/support/html-pages.ts'

export default defineConfig({
  plugins: [htmlPagesInTests],
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/launch.ts', 'test/support/global-setup.ts'],
    maxWorkers: browsers,
    reporters: ['default', './test/support/tally.ts'],
    testTimeout: 5 * patience,
    hookTimeout: 5 * patience,
    expect: { poll: { timeout: patience } },
  },
})
