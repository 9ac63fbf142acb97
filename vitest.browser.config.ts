import { defineConfig } from 'vitest/config'
import { browsers } from './test/browser/chromium.ts'
import { htmlPagesInTests } from './test/support/html-pages.ts'

export default defineConfig({
  plugins: [htmlPagesInTests],
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/launch.ts', 'test/support/global-setup.ts'],
    maxWorkers: browsers,
    reporters: ['default', './test/support/tally.ts'],
    // A busy machine makes pages slow, not wrong.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
