import type { Plugin } from 'esbuild'

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
  ...['confirm-email-change', 'undo'].map(beside => ({
    file: 'shared/store/move-writes.ts',
    beside,
    name: 'move-writes',
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
