import type { VitestPluginContext } from 'vitest/node'
import { asModule } from '../../infra/build/html-page.ts'

/** Imports of `*.html`, for the test runner. */
export const htmlPagesInTests = {
  name: 'html-pages',
  enforce: 'pre',
  load: (path: string) => (path.endsWith('.html') ? asModule(path) : null),
  /** Vitest caches modules by their own bytes, and would miss a change of a page's style or script. */
  configureVitest({ defineCacheKeyGenerator }: VitestPluginContext) {
    defineCacheKeyGenerator(({ id }) => (id.endsWith('.html') ? false : null))
  },
} as const
