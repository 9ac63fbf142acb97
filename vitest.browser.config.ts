import { defineConfig } from 'vitest/config'
import { browsers } from './test/browser/chromium.ts'
import { htmlPagesInTests } from './test/support/html-pages.ts'

export default defineConfig({
  plugins: [htmlPagesInTests],
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/launch.ts', 'test/support/bundles.ts'],
    maxWorkers: browsers,
    reporters: ['default', './test/support/tally.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Of `expect.poll`: a busy machine makes pages slow, not wrong.
    expect: { poll: { timeout: 60_000 } },
  },
})
