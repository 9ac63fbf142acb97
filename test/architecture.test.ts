import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { functionNames } from '../api/route-keys.ts'
import { type Arrow, circling, foldersOf } from './support/circles.ts'
import {
  everySource,
  files,
  forbiddenImports,
  importsOf,
  loadedBy,
  sources,
  unnamedExports,
  within,
} from './support/imports.ts'

const sdk = /^@(?:aws-sdk|smithy|aws)\//

test('the test finds every import of a file', () => {
  expect(importsOf('functions/get-me.ts', { types: true })).toEqual([
    'accounts/token/authentication.ts',
    'api/endpoint.ts',
    'api/lambda.ts',
    'api/live.ts',
    'api/make-replies.ts',
  ])
  const found = files.flatMap(file => importsOf(file, { types: true }))
  const stated = [...sources.values()].flatMap(source => source.match(/\bfrom '|^import '|\bimport\('/gm) ?? [])
  expect(found.length).toBe(stated.length)
  for (const target of found)
    if (/^(?:bench|docs|explorer|functions|infra|local|operations|reference|shared)\//.test(target))
      expect(target).toMatch(/\.\w+$/)
})

describe('infra', () => {
  test('never imports a function, a command, the local system, the HTTP pipeline or the live world, types included', () => {
    const isForbidden = (target: string) =>
      /^(?:functions|local|operations)\/|^shared\/api\/(?:endpoint|live)\.ts$/.test(target)
    expect(forbiddenImports(/^infra\//, isForbidden)).toEqual([])
  })

  test('takes only facts from shared: they load neither the SDK nor the service itself', () => {
    const facts = new Set(
      within(/^infra\//).flatMap(file => importsOf(file, { types: false }).filter(target => /^shared\//.test(target))),
    )
    for (const fact of facts) {
      const service = [fact, ...loadedBy(fact)].filter(
        target => sdk.test(target) || /^shared\/(?:api\/(?:endpoint|live)\.ts|store\/(?!attributes\.ts))/.test(target),
      )
      expect({ fact, service }).toEqual({ fact, service: [] })
    }
  })

  test('reads the environment only where it starts', () => {
    const readers = within(/^infra\//).filter(file => /\bprocess\.env\b/.test(sources.get(file) ?? ''))
    expect(readers).toEqual([
      'infra/app.ts',
      'infra/build/environment-credentials.ts',
      'infra/build/environment-settings.ts',
    ])
  })
})

describe('local', () => {
  test('imports neither the domain nor its commands nor the functions that it runs', () => {
    const isForbidden = (target: string) =>
      /^(?:functions|operations)\/|^shared\/(?:accounts|catalogue)\/|^shared\/api\/(?:endpoint|live)\.ts$/.test(target)
    expect(forbiddenImports(/^local\//, isForbidden)).toEqual([])
  })
})

describe('operations', () => {
  test('write to a terminal by one file alone, which escapes what steers it', () => {
    const writers = within(/^operations\//).filter(file =>
      /\bconsole\.|\bprocess\.std(?:out|err)\.write\b|\bcreateInterface\b/.test(sources.get(file) ?? ''),
    )
    expect(writers).toEqual(['operations/command-line/terminal.ts'])
  })
})

describe('explorer', () => {
  test('shows the catalogue, and imports nothing else of the service', () => {
    const isForbidden = (target: string) =>
      /^(?:functions|infra|local|operations)\//.test(target) ||
      /^shared\/(?!catalogue\/|prebuilt\/|base\/html\.ts$)/.test(target)
    expect(forbiddenImports(/^explorer\//, isForbidden)).toEqual([])
  })

  test('runs its client in browsers, as the reference does: no import of theirs is part of Node', () => {
    expect(forbiddenImports(/^(?:explorer|reference)\/client\//, target => target.startsWith('node:'))).toEqual([])
  })
})

describe('reference', () => {
  test('is written from what is shared, and takes from the explorer only what both show alike', () => {
    const isForbidden = (target: string) =>
      /^(?:functions|infra|local|operations)\/|^explorer\/(?!client\/search\/)/.test(target)
    expect(forbiddenImports(/^reference\//, isForbidden)).toEqual([])
  })
})

describe('bench and docs', () => {
  test('measure and describe the product: neither imports the other, and bench nothing of the tests', () => {
    expect(forbiddenImports(/^bench\//, target => /^(?:docs|test)\//.test(target))).toEqual([])
    expect(forbiddenImports(/^docs\//, target => target.startsWith('bench/'))).toEqual([])
  })

  test('docs take from the tests only which generators of clients they try', () => {
    expect(forbiddenImports(/^docs\//, target => target.startsWith('test/'))).toEqual([
      'docs/write/tables.ts → test/integrate/generators/generators.ts',
    ])
  })
})

describe('functions', () => {
  test('have one file for each row of the route table and each consumer of events', () => {
    expect(within(/^functions\//)).toEqual(functionNames.map(name => `functions/${name}.ts`).sort())
  })

  test('import shared code and small packages, never each other, infra or the SDK', () => {
    const isForbidden = (target: string) =>
      /^(?:functions\/.*\.ts$|explorer\/|infra\/|local\/|reference\/)/.test(target) ||
      sdk.test(target) ||
      target.startsWith('aws-cdk-lib')
    expect(forbiddenImports(/^functions\//, isForbidden)).toEqual([])
  })

  test('bundle no package that only development and commands need', () => {
    const { devDependencies } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
    ) as Record<string, object>
    const loaded = within(/^functions\//).flatMap(file => [...loadedBy(file)])
    const bundled = Object.keys(devDependencies ?? {}).filter(name =>
      loaded.some(target => target === name || target.startsWith(`${name}/`)),
    )
    expect(loaded).toContain('bcryptjs')
    expect(bundled).toEqual([])
  })
})

describe('operations', () => {
  test('use the domain and the stores, never the code that binds the service to Lambda', () => {
    const isForbidden = (target: string) => /^(?:functions\/|shared\/api\/(?:endpoint|live)\.ts)/.test(target)
    expect(forbiddenImports(/^operations\//, isForbidden)).toEqual([])
  })

  test('import from infra and the local system only how to find the latter, and the list of applications', () => {
    expect(forbiddenImports(/^operations\//, target => /^(?:infra|local)\//.test(target))).toEqual([
      'operations/clients.ts → infra/settings/clients.ts',
      'operations/clients.ts → infra/settings/settings.ts',
      'operations/clients.ts → infra/settings/stage.ts',
      'operations/clients.ts → local/local-settings.ts',
      'operations/command-line/discovery.ts → infra/settings/provider-members.ts',
      'operations/command-line/stack.ts → infra/settings/setting.ts',
      'operations/command-line/stack.ts → local/local-settings.ts',
      'operations/command-line/stack.ts → local/operator.ts',
      'operations/providers.ts → infra/settings/provider-members.ts',
      'operations/providers.ts → infra/settings/providers.ts',
      'operations/providers.ts → infra/settings/stage.ts',
    ])
  })
})

describe('shared', () => {
  /** What each folder may import of the others. */
  const below: Record<string, readonly string[]> = {
    base: [],
    words: ['base'],
    pages: ['base', 'words'],
    prebuilt: ['base', 'words'],
    accounts: ['base', 'words'],
    catalogue: ['base', 'pages', 'prebuilt'],
    store: ['base', 'accounts'],
    api: ['base', 'prebuilt', 'accounts', 'catalogue', 'store', 'words'],
  }
  const folderOf = (file: string): string => file.split('/')[1] ?? ''

  test('imports nothing that uses it', () => {
    expect(
      forbiddenImports(/^shared\//, target =>
        /^(?:explorer|functions|infra|local|operations|reference)\//.test(target),
      ),
    ).toEqual([])
  })

  test('stands in layers: the API above the domain, and what both stand on below it', () => {
    const isAbove = (target: string, file: string) =>
      target.startsWith('shared/') &&
      folderOf(target) !== folderOf(file) &&
      !below[folderOf(file)]?.includes(folderOf(target))
    expect(forbiddenImports(/^shared\//, isAbove)).toEqual([])
    expect([...new Set(within(/^shared\//).map(folderOf))].filter(folder => !below[folder])).toEqual([])
  })

  /** The accounts: each line may import those above it. What things are stands first, then what becomes of them. */
  const floors = [
    'email.ts factor.ts gate.ts identity.ts one-time-token.ts provider-proof.ts password.ts session.ts webauthn',
    'passkey.ts',
    'account.ts password-hash.ts schemas.ts',
    'accounts.ts',
    'deletion-marks.ts language.ts tokens',
    'mail',
    'codes',
    'admission',
    'sessions',
    'email-changes passwords',
    'factors',
    'deletion.ts passkeys email-verification.ts login.ts profile.ts registration.ts',
    'providers',
    'applications delivery',
  ].map(floor => floor.split(' '))
  const floorOf = (file: string): number => floors.findIndex(floor => floor.includes(file.split('/')[2] ?? ''))

  test('tells the life of an account from the bottom up: no arrow within the accounts runs back', () => {
    const accounts = /^shared\/accounts\//
    const isAbove = (target: string, file: string) =>
      accounts.test(target) && target.split('/')[2] !== file.split('/')[2] && floorOf(target) >= floorOf(file)
    expect(forbiddenImports(accounts, isAbove)).toEqual([])
    expect(within(accounts).filter(file => floorOf(file) === -1)).toEqual([])
  })

  test('uses the SDK only in live.ts and the stores, and the stores only in live.ts', () => {
    const isOutside = (target: string, file: string) =>
      sdk.test(target) || (target.startsWith('shared/store/') && !file.startsWith('shared/store/'))
    expect(forbiddenImports(/^shared\/(?!api\/live\.ts|store\/)/, isOutside)).toEqual([])
  })

  test('lets only functions join live.ts with the rest', () => {
    expect(forbiddenImports(/^shared\//, target => target === 'api/live.ts')).toEqual([])
  })

  test('describes the outside world by types alone', () => {
    expect(importsOf('api/deps.ts', { types: false })).toEqual([])
    expect(importsOf('api/routes.ts', { types: false })).toEqual([])
    expect(importsOf('shared/base/system.ts', { types: true })).toEqual([])
  })
})

describe('functions and shared get from `Deps`, not directly,', () => {
  test.each([
    ['the time', /\bnew Date\(\)|\bDate\.now\(|\bhrtime\b|\bperformance\b/],
    ['randomness', /\bMath\.random\b|\brandom(?:Bytes|UUID|Int|FillSync)\b.*from 'node:crypto'|\bgetRandomValues\b/],
    ['the environment', /\bprocess\.env\b/],
    ['the network', /\bfetch\(|from 'node:(?:http|https|net|tls)'/],
  ])('%s', (_, source) => {
    const takers = within(/^(?:functions|shared)\//).filter(file => source.test(sources.get(file) ?? ''))
    const isSource = (file: string) =>
      ['api/live.ts', ...['environment', 'network', 'timing'].map(name => `shared/base/${name}.ts`)].includes(file)
    expect(takers.filter(file => !isSource(file))).toEqual([])
  })
})

test("only commands use SES's second API: no function bundles its client", () => {
  const users = files.filter(file => importsOf(file, { types: true }).includes('@aws-sdk/client-sesv2'))
  expect(users).toEqual(['operations/mail.ts', 'operations/stack/check.ts'])
  const bundled = functionNames.flatMap(name => [...loadedBy(`functions/${name}.ts`)])
  expect(bundled.filter(target => target.includes('sesv2'))).toEqual([])
})

describe('imports form no circle, types included:', () => {
  const imports = files.flatMap(file =>
    importsOf(file, { types: true })
      .filter(target => /^(?:bench|docs|explorer|functions|infra|local|operations|reference|shared)\//.test(target))
      .map((target): Arrow => [file, target]),
  )

  const shown = (arrows: readonly Arrow[]) => arrows.map(([from, to]) => `${from} → ${to}`)

  test.each([
    ['ab bc', []],
    ['ab ba bc', ['a → b', 'b → a']],
    ['xa ab bc ca', ['a → b', 'b → c', 'c → a']],
    ['aa', ['a → a']],
  ])('among the arrows %s, these form a circle: %j', (text, circle) => {
    const arrows = text.split(' ').map(([from = '', to = '']): Arrow => [from, to])
    expect(shown(circling(arrows))).toEqual(circle)
  })

  test.each<[string, string, Arrow | null]>([
    ['local/aws/kms.ts', 'local/template/read-stack.ts', ['local/aws', 'local/template']],
    ['local/aws/kms.ts', 'api/routes.ts', ['local', 'shared']],
    ['local/aws/kms.ts', 'local/start-error.ts', null],
    ['local/system.ts', 'local/aws/kms.ts', null],
    ['infra/constructs/api.ts', 'infra/constructs/data.ts', null],
  ])('an import in %s of %s joins the folders %j', (from, to, folders) => {
    expect(foldersOf([from, to])).toEqual(folders)
  })

  test('no file imports itself by way of others', () => {
    expect(shown(circling(imports))).toEqual([])
  })

  test('no folder imports itself by way of its siblings', () => {
    const joined = imports.map(foldersOf).filter(folders => folders !== null)
    expect([...new Set(shown(circling(joined)))]).toEqual([])
  })
})

/** What is named where no import shows it. */
const entries: Record<string, string> = {
  'bench/measure/least-work.ts': 'bench/warm.ts runs it by the names of its exports',
  'catalogue/explorer/client/session/late.ts': 'the build puts it in the place of late-parts.ts',
  'infra/build/environment-credentials.ts': "the build puts it in the place of a module of the SDK's",
  'infra/build/environment-settings.ts': "the build puts it in the place of a module of the SDK's",
  'catalogue/notations/typescript.ts': 'the text that it writes has an export',
}

test('every export has a second file that names it', () => {
  const exporting = [...everySource.keys()].filter(file => !file.startsWith('test/') && !entries[file])
  const unnamed = exporting.flatMap(file => unnamedExports(file).map(name => `${file}: ${name}`))
  // What Lambda calls.
  expect(unnamed.filter(each => !/^functions\/[\w-]+\.ts: handler$/.test(each))).toEqual([])
  expect(Object.keys(entries).filter(file => unnamedExports(file).length === 0)).toEqual([])
})

test('no folder or file has a catch-all name such as utils, and none only re-exports', () => {
  expect(within(/(?:^|\/)(?:utils?|helpers?|common|misc|lib)(?:\/|\.ts$)|\/index\.ts$/)).toEqual([])
  expect([...sources].filter(([, source]) => /^export (?:\*|\{[^}]*\}) from/m.test(source))).toEqual([])
})
