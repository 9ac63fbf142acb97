import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { functionNames } from '../shared/needs.ts'

const root = join(import.meta.dirname, '..')
/** `page.ts` runs in browsers: it is text to the function that serves it. */
const files = globSync('{functions,infra,operations,shared}/**/*.ts', {
  cwd: root,
  exclude: ['shared/pages/**'],
}).sort()
const sources = new Map(files.map(file => [file, withoutComments(readFileSync(join(root, file), 'utf8'))]))

function withoutComments(source: string): string {
  return source.replace(/^\s*\/\*.*?\*\/|^\s*\/\/.*?$/gms, '')
}

/** What a file imports: the project's own files by their path, packages by their specifier. */
function importsOf(file: string, { types }: { types: boolean }): string[] {
  const statements =
    /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[\w$*{][^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'/g
  return [...(sources.get(file) ?? '').matchAll(statements)]
    .filter(([, type]) => types || !type)
    .map(([, , from = '', dynamic = '']) => from || dynamic)
    .map(specifier => (specifier.startsWith('.') ? join(file, '..', specifier) : specifier))
}

/** Everything that is loaded with a file. */
function reachOf(file: string, reached = new Set<string>()): Set<string> {
  for (const next of importsOf(file, { types: false })) {
    if (reached.has(next)) continue
    reached.add(next)
    reachOf(next, reached)
  }
  return reached
}

const within = (pattern: RegExp): string[] => files.filter(file => pattern.test(file))

/** Imports, types included, of the files in question that go where they must not, as `<file> → <import>`. */
const trespasses = (from: RegExp, isForbidden: (target: string, file: string) => boolean): string[] =>
  within(from).flatMap(file =>
    importsOf(file, { types: true })
      .filter(target => isForbidden(target, file))
      .map(target => `${file} → ${target}`),
  )

const sdk = /^@(?:aws-sdk|smithy|aws)\//

test('every import that a file has is found', () => {
  expect(importsOf('functions/get-me.ts', { types: true })).toEqual([
    'shared/accounts/tokens/authentication.ts',
    'shared/http/endpoint.ts',
    'shared/lambda.ts',
    'shared/live.ts',
    'shared/replies.ts',
  ])
  const found = files.flatMap(file => importsOf(file, { types: true }))
  const stated = [...sources.values()].flatMap(source => source.match(/\bfrom '|^import '|\bimport\('/gm) ?? [])
  expect(found.length).toBe(stated.length)
  for (const target of found)
    if (/^(?:functions|infra|operations|shared)\//.test(target)) expect(target).toMatch(/\.\w+$/)
})

describe('infra', () => {
  test('never imports a function or a command', () => {
    expect(trespasses(/^infra\//, target => /^(?:functions|operations)\//.test(target))).toEqual([])
  })

  test('takes nothing from shared but facts, with which neither the SDK nor the service itself is loaded', () => {
    const facts = new Set(
      within(/^infra\//).flatMap(file => importsOf(file, { types: false }).filter(target => /^shared\//.test(target))),
    )
    for (const fact of facts) {
      const service = [fact, ...reachOf(fact)].filter(
        target => sdk.test(target) || /^shared\/(?:http\/|live\.ts|store\/(?!tables\.ts))/.test(target),
      )
      expect({ fact, service }).toEqual({ fact, service: [] })
    }
  })

  test('reads the environment at its entries alone', () => {
    const readers = within(/^infra\/(?!local\/)/).filter(file => /\bprocess\.env\b/.test(sources.get(file) ?? ''))
    expect(readers).toEqual([
      'infra/app.ts',
      'infra/build/environment-credentials.ts',
      'infra/build/environment-settings.ts',
    ])
  })
})

describe('functions', () => {
  test('are the rows of the route table and the consumers, one file each', () => {
    expect(within(/^functions\//)).toEqual(functionNames.map(name => `functions/${name}.ts`).sort())
  })

  test('import shared and small packages, never each other, infra or the SDK', () => {
    const isForbidden = (target: string) =>
      /^(?:functions\/.*\.ts$|infra\/)/.test(target) || sdk.test(target) || target.startsWith('aws-cdk-lib')
    expect(trespasses(/^functions\//, isForbidden)).toEqual([])
  })

  test('are bundled without any package that serves development and commands alone', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, object>
    const loaded = within(/^functions\//).flatMap(file => [...reachOf(file)])
    const bundled = Object.keys(devDependencies ?? {}).filter(name =>
      loaded.some(target => target === name || target.startsWith(`${name}/`)),
    )
    expect(loaded).toContain('bcryptjs')
    expect(bundled).toEqual([])
  })
})

describe('operations', () => {
  test('use the domain and the stores, never the service as it is bound to Lambda', () => {
    const isForbidden = (target: string) => /^(?:functions\/|shared\/(?:http\/|live\.ts))/.test(target)
    expect(trespasses(/^operations\//, isForbidden)).toEqual([])
  })

  test('take from infra where the local system is, and nothing else', () => {
    expect(trespasses(/^operations\//, target => target.startsWith('infra/'))).toEqual([
      'operations/command-line/stack.ts → infra/local/local-settings.ts',
      'operations/command-line/stack.ts → infra/local/operator.ts',
      'operations/command-line/stack.ts → infra/settings/setting.ts',
    ])
  })
})

describe('shared', () => {
  test('imports neither infra nor functions nor operations', () => {
    expect(trespasses(/^shared\//, target => /^(?:functions|infra|operations)\//.test(target))).toEqual([])
  })

  test('keeps its nouns free of HTTP, stores, AWS and the live world, but for what is answered without the pipeline', () => {
    const isForbidden = (target: string) =>
      /^shared\/(?:http|store)\//.test(target) || target === 'shared/live.ts' || sdk.test(target)
    expect(trespasses(/^shared\/(?!live\.ts|http\/|store\/)/, isForbidden)).toEqual([
      'shared/catalogue/serve/fields.ts → shared/http/raw-body.ts',
      'shared/catalogue/serve/response.ts → shared/http/head.ts',
      'shared/catalogue/serve/response.ts → shared/http/problem.ts',
      'shared/prebuilt/response.ts → shared/http/head.ts',
      'shared/prebuilt/response.ts → shared/http/problem.ts',
    ])
  })

  test('lets its nouns see nouns, errors, settings and what every function has, never `deps.ts`', () => {
    const isSeen = (target: string) =>
      /^shared\/(?:(?:accounts|catalogue|limits|prebuilt)\/|(?:caching|config|errors|html|log|schemas|system)\.ts$)/.test(
        target,
      )
    const isForbidden = (target: string) => target.startsWith('shared/') && !isSeen(target)
    // They answer from their bundles without the pipeline, and so render what they answer.
    expect(trespasses(/^shared\/(?:accounts|catalogue|limits|prebuilt)\//, isForbidden)).toEqual([
      'shared/catalogue/serve/fields.ts → shared/http/raw-body.ts',
      'shared/catalogue/serve/response.ts → shared/http/head.ts',
      'shared/catalogue/serve/response.ts → shared/http/problem.ts',
      'shared/prebuilt/response.ts → shared/http/head.ts',
      'shared/prebuilt/response.ts → shared/http/problem.ts',
    ])
    expect(importsOf('shared/system.ts', { types: true })).toEqual([])
  })

  test('shows the SDK to live.ts and the stores alone', () => {
    expect(trespasses(/^shared\/(?!live\.ts|store\/)/, target => sdk.test(target))).toEqual([])
  })

  test('joins HTTP and the live world in functions alone', () => {
    expect(trespasses(/^shared\/(?!live\.ts)/, target => target === 'shared/live.ts')).toEqual([])
    expect(trespasses(/^shared\/(?:http|store)\//, (target, file) => isAcross(file, target))).toEqual([])
  })

  test('describes the outside world by types alone', () => {
    expect(importsOf('shared/deps.ts', { types: false })).toEqual([])
    expect(importsOf('shared/routes.ts', { types: false })).toEqual([])
  })

  const isAcross = (file: string, target: string): boolean =>
    (file.startsWith('shared/http/') && target.startsWith('shared/store/')) ||
    (file.startsWith('shared/store/') && /^shared\/(?:http\/|live\.ts)/.test(target))
})

describe('functions and shared have from `Deps`, not from the air,', () => {
  test.each([
    ['the time', /\bnew Date\(\)|\bDate\.now\(/],
    ['randomness', /\bMath\.random\b|\brandom(?:Bytes|UUID|Int|FillSync)\b.*from 'node:crypto'|\bgetRandomValues\b/],
    ['the environment', /\bprocess\.env\b/],
    ['the network', /\bfetch\(|from 'node:(?:http|https|net|tls)'/],
  ])('%s', (_, source) => {
    const takers = within(/^(?:functions|shared)\//).filter(file => source.test(sources.get(file) ?? ''))
    const isSource = (file: string) => ['shared/live.ts', 'shared/environment.ts'].includes(file)
    expect(takers.filter(file => !isSource(file))).toEqual([])
  })
})

test("only commands speak SES's second API: no function carries its client", () => {
  const speakers = files.filter(file => importsOf(file, { types: true }).includes('@aws-sdk/client-sesv2'))
  expect(speakers).toEqual(['operations/mails/suppression.ts'])
  const carried = functionNames.flatMap(name => [...reachOf(`functions/${name}.ts`)])
  expect(carried.filter(target => target.includes('sesv2'))).toEqual([])
})

describe('nothing goes in a circle, types included:', () => {
  type Arrow = readonly [from: string, to: string]

  const imports = files.flatMap(file =>
    importsOf(file, { types: true })
      .filter(target => /^(?:functions|infra|operations|shared)\//.test(target))
      .map((target): Arrow => [file, target]),
  )

  /** The arrows whose end leads back to their beginning. */
  function circling(arrows: readonly Arrow[]): Arrow[] {
    const leaving = Map.groupBy(arrows, ([from]) => from)
    const leads = (start: string, goal: string, seen = new Set([start])): boolean =>
      start === goal || (leaving.get(start) ?? []).some(([, to]) => !seen.has(to) && leads(to, goal, seen.add(to)))
    return arrows.filter(([from, to]) => leads(to, from))
  }

  /** The folders beside each other that an import joins, with all that is below them; null where one holds the other. */
  function foldersOf([from, to]: Arrow): Arrow | null {
    const [one, other] = [dirname(from).split('/'), dirname(to).split('/')]
    const parting = one.findIndex((name, i) => name !== other[i])
    if (parting === -1 || parting >= other.length) return null
    return [one.slice(0, parting + 1).join('/'), other.slice(0, parting + 1).join('/')]
  }

  const shown = (arrows: readonly Arrow[]) => arrows.map(([from, to]) => `${from} → ${to}`)

  test.each([
    ['ab bc', []],
    ['ab ba bc', ['a → b', 'b → a']],
    ['xa ab bc ca', ['a → b', 'b → c', 'c → a']],
    ['aa', ['a → a']],
  ])('of the arrows %s, those that circle are %j', (text, circle) => {
    const arrows = text.split(' ').map(([from = '', to = '']): Arrow => [from, to])
    expect(shown(circling(arrows))).toEqual(circle)
  })

  test.each<[string, string, Arrow | null]>([
    ['infra/local/aws/kms.ts', 'infra/local/template/definitions.ts', ['infra/local/aws', 'infra/local/template']],
    ['infra/local/aws/kms.ts', 'shared/routes.ts', ['infra', 'shared']],
    ['infra/local/aws/kms.ts', 'infra/local/start-error.ts', null],
    ['infra/local/system.ts', 'infra/local/aws/kms.ts', null],
    ['infra/constructs/api.ts', 'infra/constructs/data.ts', null],
  ])('an import in %s of %s joins the folders %j', (from, to, folders) => {
    expect(foldersOf([from, to])).toEqual(folders)
  })

  test('no file leads back to itself', () => {
    expect(shown(circling(imports))).toEqual([])
  })

  test('no folder leads back to itself by way of others beside it', () => {
    const ways = imports.map(foldersOf).filter(way => way !== null)
    expect([...new Set(shown(circling(ways)))]).toEqual([])
  })
})

test('no folder or file is named for being shared by chance, and none only passes on others’ exports', () => {
  expect(within(/(?:^|\/)(?:utils?|helpers?|common|misc|lib)(?:\/|\.ts$)|\/index\.ts$/)).toEqual([])
  expect([...sources].filter(([, source]) => /^export (?:\*|\{[^}]*\}) from/m.test(source))).toEqual([])
})
