import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { browsers, patience } from './test/browser/chromium.ts'
import { htmlPagesInTests } from './test/support/html-pages.ts'

// Processes that tests start load CDK, and workers Playwright: with their code compiled by others, they take less.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.vitest/compiled')

export default defineConfig({
  plugins: [htmlPagesInTests],
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/browser/launch.ts', 'test/support/global-setup.ts'],
    // Files share what is loaded, and with it what nothing but its input changes, such as compressed pages.
    isolate: false,
    maxWorkers: browsers,
    reporters: ['default', './test/support/tally.ts'],
    testTimeout: 5 * patience,
    hookTimeout: 5 * patience,
    expect: { poll: { timeout: patience } },
  },
})
