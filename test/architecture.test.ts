import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { functionNames } from '../api/route-keys.ts'
import {
  everySource,
  files,
  forbiddenImports,
  importsOf,
  loadedBy,
  sources,
  topFolders,
  topOf,
  unnamedExports,
  within,
} from './support/imports.ts'

/** An import of one file or folder by another. */
type Arrow = readonly [from: string, to: string]

/** The arrows of circles. */
function circling(arrows: readonly Arrow[]): Arrow[] {
  const leaving = Map.groupBy(arrows, ([from]) => from)
  const leads = (start: string, goal: string, seen = new Set([start])): boolean =>
    start === goal || (leaving.get(start) ?? []).some(([, to]) => !seen.has(to) && leads(to, goal, seen.add(to)))
  return arrows.filter(([from, to]) => leads(to, from))
}

/** The sibling folders that an import joins; null if one contains the other. */
function foldersOf([from, to]: Arrow): Arrow | null {
  const [start, end] = [dirname(from).split('/'), dirname(to).split('/')]
  const parting = start.findIndex((name, i) => name !== end[i])
  if (parting === -1 || parting >= end.length) return null
  return [start.slice(0, parting + 1).join('/'), end.slice(0, parting + 1).join('/')]
}

const sdk = /^@(?:aws-sdk|smithy|aws)\//

test('the test finds every import of a file', () => {
  expect(importsOf('functions/get-me.ts', { types: true })).toEqual([
    'accounts/account/profile.ts',
    'accounts/token/authentication.ts',
    'api/endpoint.ts',
  ])
  const found = files.flatMap(file => importsOf(file, { types: true }))
  const stated = [...sources.values()].flatMap(source => source.match(/\bfrom '|^import '|\bimport\('/gm) ?? [])
  expect(found.length).toBe(stated.length)
  for (const target of found) if (topFolders.includes(topOf(target))) expect(target).toMatch(/\.\w+$/)
})

const nounOf = (file: string): string => file.split('/')[1] ?? ''
/** Definitions of things, and of their stored and sent forms: all rules may use them. */
const isGround = (file: string) =>
  [
    `accounts/${nounOf(file)}/${nounOf(file)}.ts`,
    'accounts/account/attributes.ts',
    'accounts/account/forms.ts',
  ].includes(file)
    ? nounOf(file) !== 'login'
    : /^accounts\/\w+\/shapes\.ts$/.test(file)

/** The files of a noun with writes to its items. */
const isWrites = (file: string) => /^accounts\/\w+\/(?:deletion-marks|writes)\.ts$/.test(file)

/** The allowed imports of each top folder from others; all may import packages. */
const below: Record<string, readonly string[]> = {
  shared: [],
  accounts: ['shared'],
  catalogue: ['shared'],
  api: ['accounts', 'catalogue', 'shared'],
  functions: ['accounts', 'api', 'catalogue', 'shared'],
  infra: ['accounts', 'api', 'catalogue', 'reference', 'shared'],
  local: ['accounts', 'api', 'infra', 'shared'],
  operations: ['accounts', 'api', 'catalogue', 'infra', 'local', 'shared'],
  reference: ['accounts', 'api', 'catalogue', 'shared'],
  bench: topFolders,
  docs: topFolders,
}

describe('the folders at the top', () => {
  test('stand in an order: none imports what uses it', () => {
    expect(Object.keys(below).sort()).toEqual(topFolders)
    const isAbove = (target: string, file: string) =>
      topFolders.includes(topOf(target)) &&
      topOf(target) !== topOf(file) &&
      !below[topOf(file)]?.includes(topOf(target))
    expect(forbiddenImports(/./, isAbove)).toEqual([])
  })

  test('call the SDK in shared/aws, nouns’ writes and where its clients are made, alone', () => {
    const isCalling = (file: string) => importsOf(file, { types: false }).some(target => sdk.test(target))
    const callers = within(/^(?:accounts|api|catalogue|functions|shared)\//).filter(isCalling)
    expect(callers.filter(file => !/^shared\/aws\/|^api\/live\.ts$/.test(file) && !isWrites(file))).toEqual([])
  })

  test('join live.ts with the rest in the entries alone, which the build writes', () => {
    expect(forbiddenImports(/./, target => target === 'api/live.ts')).toEqual([])
  })
})

describe('infra', () => {
  test('takes only facts: they load neither the SDK nor the service itself', () => {
    const facts = new Set(
      within(/^infra\//).flatMap(file =>
        importsOf(file, { types: false }).filter(target => /^(?:accounts|api|catalogue|shared)\//.test(target)),
      ),
    )
    for (const fact of facts) {
      const service = [fact, ...loadedBy(fact)].filter(
        target =>
          sdk.test(target) || /^(?:api\/(?:endpoint|live)|shared\/aws\/.*|accounts\/\w+\/writes)\.ts/.test(target),
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
  test('never imports the pipeline', () => {
    expect(forbiddenImports(/^local\//, target => target === 'api/endpoint.ts')).toEqual([])
  })
})

describe('operations', () => {
  test('write to a terminal by one file alone, which escapes what steers it', () => {
    const writers = within(/^operations\//).filter(file =>
      /\bconsole\.|\bprocess\.std(?:out|err)\.write\b|\bcreateInterface\b/.test(sources.get(file) ?? ''),
    )
    expect(writers).toEqual(['operations/command-line/terminal.ts'])
  })

  test('never import the pipeline', () => {
    expect(forbiddenImports(/^operations\//, target => target === 'api/endpoint.ts')).toEqual([])
  })

  test('import from infra and the local system only their ways in', () => {
    expect(forbiddenImports(/^operations\//, target => /^(?:infra|local)\//.test(target))).toEqual([
      'operations/clients.ts → infra/settings/checks.ts',
      'operations/clients.ts → infra/settings/clients.ts',
      'operations/clients.ts → infra/settings/settings.ts',
      'operations/clients.ts → local/local-settings.ts',
      'operations/command-line/discovery.ts → infra/settings/provider-members.ts',
      'operations/command-line/lists.ts → infra/settings/files.ts',
      'operations/command-line/lists.ts → infra/settings/setting.ts',
      'operations/command-line/lists.ts → infra/settings/settings.ts',
      'operations/command-line/lists.ts → infra/settings/stage.ts',
      'operations/command-line/lists.ts → local/local-settings.ts',
      'operations/command-line/stack.ts → infra/settings/files.ts',
      'operations/command-line/stack.ts → infra/settings/setting.ts',
      'operations/command-line/stack.ts → local/clock/date.cjs',
      'operations/command-line/stack.ts → local/local-settings.ts',
      'operations/command-line/stack.ts → local/operator.ts',
      'operations/command-line/text-files.ts → infra/settings/files.ts',
      'operations/providers.ts → infra/settings/checks.ts',
      'operations/providers.ts → infra/settings/provider-members.ts',
      'operations/providers.ts → infra/settings/providers.ts',
    ])
  })
})

describe('the explorer', () => {
  test('shows the catalogue, and imports nothing else of the service', () => {
    const isForbidden = (target: string) => /^shared\/(?!prebuilt\/|base\/html\.ts$)/.test(target)
    expect(forbiddenImports(/^catalogue\/explorer\//, isForbidden)).toEqual([])
  })

  test('runs its client in browsers, as the reference does: without any part of Node', () => {
    expect(
      forbiddenImports(/^(?:catalogue\/explorer|reference)\/client\//, target => target.startsWith('node:')),
    ).toEqual([])
  })

  test('is read by its catalogue alone, and by the reference where both show it', () => {
    const explorer = /^catalogue\/explorer\//
    expect(forbiddenImports(/^catalogue\/(?!explorer\/)/, target => explorer.test(target))).toEqual([])
    expect(
      forbiddenImports(/^reference\//, target => explorer.test(target) && !/\/client\/search\//.test(target)),
    ).toEqual([])
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

  test('never import each other', () => {
    expect(forbiddenImports(/^functions\//, target => /^functions\/.*\.ts$/.test(target))).toEqual([])
  })

  test('bundle no package that only development and commands need', () => {
    const { devDependencies } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
    ) as Record<string, object>
    const loaded = ['api/live.ts', ...within(/^functions\//)].flatMap(file => [...loadedBy(file)])
    const bundled = Object.keys(devDependencies ?? {}).filter(name =>
      loaded.some(target => target === name || target.startsWith(`${name}/`)),
    )
    expect(loaded).toContain('bcryptjs')
    expect(bundled).toEqual([])
  })
})

describe('shared', () => {
  /** The allowed imports of each folder from others. */
  const below: Record<string, readonly string[]> = {
    base: [],
    words: ['base'],
    aws: ['base'],
    pages: ['base', 'words'],
    prebuilt: ['base', 'words'],
  }

  test('stands in layers', () => {
    const folderOf = (file: string): string => file.split('/')[1] ?? ''
    const isAbove = (target: string, file: string) =>
      target.startsWith('shared/') &&
      folderOf(target) !== folderOf(file) &&
      !below[folderOf(file)]?.includes(folderOf(target))
    expect(forbiddenImports(/^shared\//, isAbove)).toEqual([])
    expect([...new Set(within(/^shared\//).map(folderOf))].filter(folder => !below[folder])).toEqual([])
  })

  test('describes the outside world by types alone', () => {
    expect(importsOf('api/deps.ts', { types: false })).toEqual([])
    const rows = importsOf('api/routes.ts', { types: false })
    expect(rows.filter(file => !/\/routes\.ts$/.test(file))).toEqual([])
    expect(rows.flatMap(file => importsOf(file, { types: true }))).toEqual([])
    expect(importsOf('shared/base/system.ts', { types: true })).toEqual([])
  })
})

describe('accounts', () => {
  /** The rules of a noun may use those of earlier nouns. */
  const order = [
    'token',
    'mail',
    'change',
    'session',
    'factor',
    'passkey',
    'identity',
    'password',
    'address',
    'account',
    'login',
    'application',
    'delivery',
  ]
  test('tell the life of an account bottom up: no arrow among rules runs back', () => {
    expect([...new Set(within(/^accounts\//).map(nounOf))].sort()).toEqual([...order].sort())
    const isAbove = (target: string, file: string) =>
      target.startsWith('accounts/') && !isGround(target) && order.indexOf(nounOf(target)) > order.indexOf(nounOf(file))
    expect(forbiddenImports(/^accounts\//, isAbove)).toEqual([])
  })

  test('say what things are without their rules', () => {
    const grounds = within(/^accounts\//).filter(isGround)
    const isRule = (target: string) => target.startsWith('accounts/') && !isGround(target)
    expect(
      grounds.flatMap(file =>
        importsOf(file, { types: true })
          .filter(isRule)
          .map(rule => `${file} → ${rule}`),
      ),
    ).toEqual([])
  })

  test('call AWS in their writes alone', () => {
    const isCall = (target: string) => /^shared\/aws\//.test(target)
    const callers = within(/^accounts\//).filter(file => importsOf(file, { types: false }).some(isCall))
    expect(callers.filter(file => !isWrites(file))).toEqual([])
  })
})

describe('functions and what they are made of get from `Deps`, not directly,', () => {
  test.each([
    ['the time', /\bnew Date\(\)|\bDate\.now\(|\bhrtime\b|\bperformance\b/],
    ['randomness', /\bMath\.random\b|\brandom(?:Bytes|UUID|Int|FillSync)\b.*from 'node:crypto'|\bgetRandomValues\b/],
    ['the environment', /\bprocess\.env\b/],
    ['the network', /\bfetch\(|from 'node:(?:http|https|net|tls)'/],
  ])('%s', (_, source) => {
    // What a browser runs has no `Deps`.
    const inFunctions = /^(?:accounts|api|catalogue\/(?!explorer\/client\/)|functions|shared\/(?!pages\/))/
    const takers = within(inFunctions).filter(file => source.test(sources.get(file) ?? ''))
    const isSource = (file: string) =>
      ['api/live.ts', ...['environment', 'network', 'timing'].map(name => `shared/base/${name}.ts`)].includes(file)
    expect(takers.filter(file => !isSource(file))).toEqual([])
  })
})

test("only commands use SES's second API: no function bundles its client", () => {
  const users = files.filter(file => importsOf(file, { types: true }).includes('@aws-sdk/client-sesv2'))
  expect(users).toEqual(['operations/mail.ts', 'operations/stack/check.ts'])
  const bundled = ['api/live.ts', ...within(/^functions\//)].flatMap(file => [...loadedBy(file)])
  expect(bundled.filter(target => target.includes('sesv2'))).toEqual([])
})

describe('imports form no circle, types included:', () => {
  const imports = files.flatMap(file =>
    importsOf(file, { types: true })
      .filter(target => topFolders.includes(topOf(target)))
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
    ['local/aws/kms.ts', 'api/routes.ts', ['local', 'api']],
    ['local/aws/kms.ts', 'local/start-error.ts', null],
    ['local/system.ts', 'local/aws/kms.ts', null],
    ['infra/constructs/api.ts', 'infra/constructs/data.ts', null],
  ])('an import in %s of %s joins the folders %j', (from, to, folders) => {
    expect(foldersOf([from, to])).toEqual(folders)
  })

  test('no file imports itself by way of others', () => {
    expect(shown(circling(imports))).toEqual([])
  })

  test('no folder imports itself through siblings; what things are lies below all nouns', () => {
    const placed = (file: string) => (isGround(file) ? 'accounts/what things are/of.ts' : file)
    const joined = imports
      .map(([from, to]) => foldersOf([placed(from), placed(to)]))
      .filter(folders => folders !== null)
    expect([...new Set(shown(circling(joined)))]).toEqual([])
  })
})

/** Uses that no import shows. */
const entries: Record<string, string> = {
  'bench/measure/least-work.ts': 'bench/warm.ts runs it by the names of its exports',
  'docs/examples/programs/client.ts': 'app.ts there calls it by the name that tsc gives it',
  'catalogue/explorer/client/late.ts': 'the build puts it in the place of late-parts.ts',
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
