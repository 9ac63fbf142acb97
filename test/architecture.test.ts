import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { functionNames } from '../shared/endpoints/needs.ts'
import { type Arrow, circling, foldersOf } from './support/circles.ts'
import { files, forbiddenImports, importsOf, loadedBy, sources, within } from './support/imports.ts'

const sdk = /^@(?:aws-sdk|smithy|aws)\//

test('the test finds every import of a file', () => {
  expect(importsOf('functions/get-me.ts', { types: true })).toEqual([
    'shared/accounts/tokens/authentication.ts',
    'shared/endpoints/replies.ts',
    'shared/http/endpoint.ts',
    'shared/live.ts',
    'shared/runtime/lambda.ts',
  ])
  const found = files.flatMap(file => importsOf(file, { types: true }))
  const stated = [...sources.values()].flatMap(source => source.match(/\bfrom '|^import '|\bimport\('/gm) ?? [])
  expect(found.length).toBe(stated.length)
  for (const target of found)
    if (/^(?:functions|infra|operations|shared)\//.test(target)) expect(target).toMatch(/\.\w+$/)
})

describe('infra', () => {
  test('never imports a function, a command, the HTTP pipeline or the live world, types included', () => {
    const isForbidden = (target: string) => /^(?:functions|operations|shared\/http)\/|^shared\/live\.ts$/.test(target)
    expect(forbiddenImports(/^infra\//, isForbidden)).toEqual([])
  })

  test('takes only facts from shared: they load neither the SDK nor the service itself', () => {
    const facts = new Set(
      within(/^infra\//).flatMap(file => importsOf(file, { types: false }).filter(target => /^shared\//.test(target))),
    )
    for (const fact of facts) {
      const service = [fact, ...loadedBy(fact)].filter(
        target => sdk.test(target) || /^shared\/(?:http\/|live\.ts|store\/(?!tables\.ts))/.test(target),
      )
      expect({ fact, service }).toEqual({ fact, service: [] })
    }
  })

  test('reads the environment only where it starts', () => {
    const readers = within(/^infra\/(?!local\/)/).filter(file => /\bprocess\.env\b/.test(sources.get(file) ?? ''))
    expect(readers).toEqual([
      'infra/app.ts',
      'infra/build/environment-credentials.ts',
      'infra/build/environment-settings.ts',
    ])
  })
})

describe('functions', () => {
  test('have one file for each row of the route table and each consumer of events', () => {
    expect(within(/^functions\//)).toEqual(functionNames.map(name => `functions/${name}.ts`).sort())
  })

  test('import shared code and small packages, never each other, infra or the SDK', () => {
    const isForbidden = (target: string) =>
      /^(?:functions\/.*\.ts$|infra\/)/.test(target) || sdk.test(target) || target.startsWith('aws-cdk-lib')
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
    const isForbidden = (target: string) => /^(?:functions\/|shared\/(?:http\/|live\.ts))/.test(target)
    expect(forbiddenImports(/^operations\//, isForbidden)).toEqual([])
  })

  test('import from infra only how to find the local system', () => {
    expect(forbiddenImports(/^operations\//, target => target.startsWith('infra/'))).toEqual([
      'operations/command-line/stack.ts → infra/local/local-settings.ts',
      'operations/command-line/stack.ts → infra/local/operator.ts',
      'operations/command-line/stack.ts → infra/settings/setting.ts',
    ])
  })
})

describe('shared', () => {
  /** Prebuilt answers are served without the pipeline, so these files write HTTP answers themselves. */
  const withoutPipeline = [
    'shared/catalogue/serve/absent-page.ts → shared/http/head.ts',
    'shared/catalogue/serve/absent-page.ts → shared/http/page.ts',
    'shared/catalogue/serve/catalogue.ts → shared/http/page.ts',
    'shared/catalogue/serve/fields.ts → shared/http/raw-body.ts',
    'shared/catalogue/serve/response.ts → shared/http/head.ts',
    'shared/catalogue/serve/response.ts → shared/http/problem.ts',
    'shared/prebuilt/response.ts → shared/http/head.ts',
    'shared/prebuilt/response.ts → shared/http/problem.ts',
  ]

  test('imports neither infra nor functions nor operations', () => {
    expect(forbiddenImports(/^shared\//, target => /^(?:functions|infra|operations)\//.test(target))).toEqual([])
  })

  test('keeps its nouns free of HTTP, stores, AWS and live.ts, except where answers bypass the pipeline', () => {
    const isForbidden = (target: string) =>
      /^shared\/(?:http|store)\//.test(target) || target === 'shared/live.ts' || sdk.test(target)
    expect(forbiddenImports(/^shared\/(?!live\.ts|http\/|store\/)/, isForbidden)).toEqual(withoutPipeline)
  })

  test('lets its nouns import nouns, errors, settings and what every function has, never `deps.ts`', () => {
    const isAllowed = (target: string) =>
      /^shared\/(?:(?:accounts|catalogue|limits|prebuilt)\/|pages\/[\w-]+\.html$|(?:caching|errors|html|runtime\/(?:config|log|system))\.ts$)/.test(
        target,
      )
    const isForbidden = (target: string) => target.startsWith('shared/') && !isAllowed(target)
    expect(forbiddenImports(/^shared\/(?:accounts|catalogue|limits|prebuilt)\//, isForbidden)).toEqual(withoutPipeline)
    expect(importsOf('shared/runtime/system.ts', { types: true })).toEqual([])
  })

  test('uses the SDK only in live.ts and the stores', () => {
    expect(forbiddenImports(/^shared\/(?!live\.ts|store\/)/, target => sdk.test(target))).toEqual([])
  })

  test('keeps HTTP, the stores and live.ts apart: only functions join them', () => {
    expect(forbiddenImports(/^shared\/(?!live\.ts)/, target => target === 'shared/live.ts')).toEqual([])
    expect(forbiddenImports(/^shared\/(?:http|store)\//, (target, file) => isAcross(file, target))).toEqual([])
  })

  test('describes the outside world by types alone', () => {
    expect(importsOf('shared/deps.ts', { types: false })).toEqual([])
    expect(importsOf('shared/routes.ts', { types: false })).toEqual([])
  })

  const isAcross = (file: string, target: string): boolean =>
    (file.startsWith('shared/http/') && target.startsWith('shared/store/')) ||
    (file.startsWith('shared/store/') && /^shared\/(?:http\/|live\.ts)/.test(target))
})

describe('functions and shared get from `Deps`, not directly,', () => {
  test.each([
    ['the time', /\bnew Date\(\)|\bDate\.now\(/],
    ['randomness', /\bMath\.random\b|\brandom(?:Bytes|UUID|Int|FillSync)\b.*from 'node:crypto'|\bgetRandomValues\b/],
    ['the environment', /\bprocess\.env\b/],
    ['the network', /\bfetch\(|from 'node:(?:http|https|net|tls)'/],
  ])('%s', (_, source) => {
    const takers = within(/^(?:functions|shared)\//).filter(file => source.test(sources.get(file) ?? ''))
    const isSource = (file: string) => ['shared/live.ts', 'shared/runtime/environment.ts'].includes(file)
    expect(takers.filter(file => !isSource(file))).toEqual([])
  })
})

test("only commands use SES's second API: no function bundles its client", () => {
  const users = files.filter(file => importsOf(file, { types: true }).includes('@aws-sdk/client-sesv2'))
  expect(users).toEqual(['operations/mails/suppression.ts'])
  const bundled = functionNames.flatMap(name => [...loadedBy(`functions/${name}.ts`)])
  expect(bundled.filter(target => target.includes('sesv2'))).toEqual([])
})

describe('imports form no circle, types included:', () => {
  const imports = files.flatMap(file =>
    importsOf(file, { types: true })
      .filter(target => /^(?:functions|infra|operations|shared)\//.test(target))
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
    ['infra/local/aws/kms.ts', 'infra/local/template/definitions.ts', ['infra/local/aws', 'infra/local/template']],
    ['infra/local/aws/kms.ts', 'shared/routes.ts', ['infra', 'shared']],
    ['infra/local/aws/kms.ts', 'infra/local/start-error.ts', null],
    ['infra/local/system.ts', 'infra/local/aws/kms.ts', null],
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

test('no folder or file has a catch-all name such as utils, and none only re-exports', () => {
  expect(within(/(?:^|\/)(?:utils?|helpers?|common|misc|lib)(?:\/|\.ts$)|\/index\.ts$/)).toEqual([])
  expect([...sources].filter(([, source]) => /^export (?:\*|\{[^}]*\}) from/m.test(source))).toEqual([])
})
