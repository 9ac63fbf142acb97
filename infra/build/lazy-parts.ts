import type { Plugin } from 'esbuild'
import { needsOf, type Row, rows } from '../../shared/api/needs.ts'
import { functionNames } from '../../shared/api/route-keys.ts'
import type { FunctionName } from '../../shared/api/routes.ts'

interface LazyPart {
  file: string
  beside: FunctionName
  name: string
}

/** A part, beside each function whose row says that it may load it. */
const besideAll = (file: string, mayLoad: (row: Row) => boolean): LazyPart[] =>
  functionNames
    .filter(name => mayLoad(rows[name]))
    .map(beside => ({ file, beside, name: file.replace(/^.*\/|\.ts$/g, '') }))

/**
 * Parts that a function loads when it first needs them: each is a file of its own beside the bundle, so that a cold
 * start does not read it. esbuild cannot split CommonJS by itself. A part holds its own copy of what it imports, classes
 * too: so `DomainError` is recognised by its name.
 */
export const lazyParts: readonly LazyPart[] = [
  { file: 'shared/catalogue/serve/validation.ts', beside: 'catalogue', name: 'validator' },
  { file: 'shared/catalogue/serve/paraminfo.ts', beside: 'catalogue', name: 'paraminfo' },
  { file: 'shared/catalogue/serve/absent-page.ts', beside: 'catalogue', name: 'absent-page' },
  { file: 'shared/accounts/session-opening.ts', beside: 'login', name: 'session-opening' },
  { file: 'shared/accounts/factors/enrolment.ts', beside: 'login', name: 'enrolment' },
  ...besideAll('shared/accounts/factors/factor-check.ts', ({ checksPassword }) => checksPassword === true),
  ...besideAll('shared/store/factor-key.ts', row => needsOf(row).may.FactorKey !== undefined),
  // The functions with a `rareMailQueue`.
  ...(['login', 'end-session', 'set-up-second-factor', 'renew-recovery-codes'] as const).map(beside => ({
    file: 'shared/store/mail-queue.ts',
    beside,
    name: 'mail-queue',
  })),
  ...besideAll('shared/store/session-writes.ts', writesAccounts),
  ...besideAll('shared/store/factor-writes.ts', writesAccounts),
]

function writesAccounts(row: Row): boolean {
  return needsOf(row).may.Users?.includes('UpdateItem') === true
}

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
