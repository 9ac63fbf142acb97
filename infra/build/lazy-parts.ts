import type { Plugin } from 'esbuild'
import { needsOf, rows } from '../../shared/api/needs.ts'
import { functionNames } from '../../shared/api/route-keys.ts'

/**
 * Parts that a function loads when it first needs them: each is a file of its own beside the bundle, so that a cold
 * start does not read it. esbuild cannot split CommonJS by itself.
 */
export const lazyParts = [
  { file: 'shared/catalogue/serve/validation.ts', beside: 'catalogue', name: 'validator' },
  { file: 'shared/catalogue/serve/paraminfo.ts', beside: 'catalogue', name: 'paraminfo' },
  { file: 'shared/catalogue/serve/absent-page.ts', beside: 'catalogue', name: 'absent-page' },
  { file: 'shared/accounts/session-opening.ts', beside: 'login', name: 'session-opening' },
  ...['login', 'refresh', 'logout', 'end-session', 'change-password'].map(beside => ({
    file: 'shared/store/session-writes.ts',
    beside,
    name: 'session-writes',
  })),
  ...functionNames
    .filter(name => rows[name].checksPassword)
    .map(beside => ({ file: 'shared/accounts/factors/factor-check.ts', beside, name: 'factor-check' })),
  ...functionNames
    .filter(name => needsOf(rows[name]).may.FactorKey)
    .flatMap(beside => [
      { file: 'shared/store/factor-key.ts', beside, name: 'factor-key' },
      { file: 'shared/store/factor-writes.ts', beside, name: 'factor-writes' },
    ]),
  // The functions with a `rareMailQueue`.
  ...['login', 'end-session', 'set-up-second-factor', 'renew-recovery-codes'].map(beside => ({
    file: 'shared/store/mail-queue.ts',
    beside,
    name: 'mail-queue',
  })),
]

/** Has `import('…')` of a part require the file beside the bundle. */
export const externalizeLazyParts: Plugin = {
  name: 'lazy-parts',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path }) => {
      const part = lazyParts.find(({ file }) => file.endsWith(path.replace(/^(?:\.\.?\/)+/, '/')))
      return kind === 'dynamic-import' && part ? { path: `./${part.name}.cjs`, external: true } : undefined
    })
  },
}
