import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import bcrypt from 'bcryptjs'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commonPasswordsFile } from '../../../accounts/password/common-passwords.ts'
import { type Bcrypt, ownForm, readAs } from '../../../accounts/password/form.ts'
import { refreshTokenExample } from '../../../accounts/token/shapes.ts'
import { needsOf, rows } from '../../../api/needs.ts'
import { meanings, memberExamples, memberMeanings } from '../../../api/openapi/meanings.ts'
import { replies, replyExamples } from '../../../api/replies.ts'
import { functionNames } from '../../../api/route-keys.ts'
import { routes } from '../../../api/routes.ts'
import { packCommonPasswords } from '../../../infra/build/bundle.ts'
import {
  bundleFiles,
  bundleOf,
  bundling,
  lazyParts,
  usualFolder,
  writeBundles,
  writeMaps,
} from '../../../infra/build/function-bundles.ts'
import { changesOf, type Part, writePart } from '../../../infra/build/parts.ts'
import { replacedModules } from '../../../infra/build/trim.ts'
import type { Grants } from '../../../shared/base/row.ts'
import { endpointNames, membersOf, ofFamilies } from '../../support/api/rows.ts'
import hashes from '../../support/hashes.json' with { type: 'json' }
import { httpEvent } from '../../support/service/http.ts'
import { variables } from '../../support/stack/variables.ts'
import { serve, type WebServer } from '../../support/web-server.ts'

const { metafile, outputFiles } = await build(bundling)
const outputOf = (name: string) => {
  const file = `${name.includes('/') ? name : `${name}/index`}.cjs`
  const found = metafile.outputs[`dist/functions/${bundleFiles.find(known => known.file === file)?.built}.cjs`]
  if (!found) throw new Error(`there is no bundle of ${name}`)
  return found
}
const needs = functionNames.map(name => [name, needsOf(rows[name])] as const)

/** The SDK's clients behind each resource of the route table. */
const dynamodb = ['client-dynamodb', 'lib-dynamodb']
const clients: Record<keyof Grants, string[]> = {
  ...ofFamilies(() => dynamodb),
  Accounts: dynamodb,
  Addresses: dynamodb,
  Identities: dynamodb,
  AccountsByVerificationToken: dynamodb,
  AccountsByResetToken: dynamodb,
  AccountsByPasskeyHandle: dynamodb,
  MailQueue: ['client-sqs'],
  QueuedMail: ['client-sqs'],
  MailIdentity: ['client-ses'],
  SigningKey: ['client-kms'],
  SigningKeys: ['client-kms'],
  FactorKey: ['client-kms'],
  ProviderKey: ['client-kms'],
}

/** Minified kilobytes that every cold start loads: about a tenth above today's size. */
const budgets: Record<string, number> = { 'not-found': 26, openapi: 15, pages: 27, 'signing-keys': 30 }
const anyBudget = 335

test('while somebody counts, functions are built in several steps, to the same bytes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'counted-'))
  const counts: [built: number, all: number][] = []
  await writeBundles({ folder, changed: null, onBuilt: (...count) => counts.push(count) }, new Map())
  const all = functionNames.length
  const built = counts.map(([built]) => built)
  expect(built).toEqual([...new Set(built)].sort((a, b) => a - b))
  expect([counts.length > 3, counts[0], counts.at(-1)]).toEqual([true, [0, all], [all, all]])
  const contents = new Map(outputFiles.map(output => [relative(bundleOf(''), output.path), output]))
  for (const { file, built } of bundleFiles) {
    const same = readFileSync(join(bundleOf('', folder), file)).equals(
      contents.get(`${built}.cjs`)?.contents ?? new Uint8Array(),
    )
    expect({ file, same }).toEqual({ file, same: true })
  }
})

describe('a bundle', () => {
  test.each(needs)('%s carries the SDK clients that its row calls, and no other', (name, { may }) => {
    const needed = new Set((Object.keys(may) as (keyof Grants)[]).flatMap(resource => clients[resource]))
    // In the bundle, or in what lies beside it.
    const files = lazyParts.flatMap(part => (part.beside === name ? [`${name}/${part.name}`] : []))
    const inputs = [`${name}/index`, ...files].flatMap(file => Object.keys(outputOf(file).inputs))
    const carried = inputs.flatMap(file => {
      const [, client] = /node_modules\/@aws-sdk\/((?:client|lib)-[\w-]+)\//.exec(file) ?? []
      return client ? [client] : []
    })
    expect([...new Set(carried)].sort()).toEqual([...needed].sort())
  })

  test.each(needs)('%s carries jose only if its row needs it', (name, _) => {
    const isCarried = Object.keys(outputOf(name).inputs).some(file => file.startsWith('node_modules/jose/'))
    const { access, ownPages, takesProvider } = rows[name]
    expect(isCarried).toBe(access === 'bearer' || ownPages === true || takesProvider === true)
  })

  test('holds no row of the route table but those of endpoints', () => {
    const others = Object.keys(routes).filter(name => !endpointNames.some(endpoint => endpoint === name))
    expect(others.length).toBeGreaterThan(0)
    for (const name of endpointNames) {
      const code = readFileSync(`${bundleOf(name)}/index.cjs`, 'utf8')
      expect(others.filter(other => code.includes(`"${other}":{`))).toEqual([])
    }
  })

  test('holds nothing that only the description of the API needs', () => {
    const schemas = Object.keys(replies).map(name => new RegExp(`\\b${name}:[\\w$]+\\(`))
    const texts =
      JSON.stringify([meanings, memberMeanings, memberExamples, replyExamples]).match(/"[\w ,.-]{30,}"/g) ?? []
    expect(texts.length).toBeGreaterThan(50)
    for (const { text, path } of outputFiles) {
      const held = [...texts.filter(known => text.includes(known)), ...schemas.filter(schema => schema.test(text))]
      expect({ path, held }).toEqual({ path, held: [] })
    }
  })

  test.each(functionNames)('%s stays within its budget', name => {
    expect(outputOf(name).bytes / 1024).toBeLessThanOrEqual(budgets[name] ?? anyBudget)
  })

  test('has the forms of hashes beside it, in six kilobytes, and each verifies', async () => {
    expect(outputOf('login/forms').bytes / 1024).toBeLessThanOrEqual(6)
    const { readOtherHash } = createRequire(import.meta.url)(`${bundleOf('login')}/forms.cjs`)
    const digest: Bcrypt = async (input, cost, salt) =>
      (await bcrypt.hash(input, `$2b$${String(cost).padStart(2, '0')}$${salt}`)).slice(29)
    for (const { short } of hashes.filter(each => readAs(ownForm, each.short) === null))
      expect([short, await readOtherHash(short).isFrom('abcdefgh', digest)]).toEqual([short, true])
  })

  test('of a login by passkey hashes nothing: it carries no bcrypt', () => {
    const carries = (name: 'login' | 'passkey-login') =>
      Object.keys(outputOf(name).inputs).some(file => file.includes('/bcryptjs/'))
    expect([carries('passkey-login'), carries('login')]).toEqual([false, true])
  })

  test.each(Object.keys(replacedModules))('leaves out %s, which the SDK still has', module => {
    expect(Object.keys(metafile.inputs)).toContain(`node_modules/${module}`)
  })

  test('names no source map and lies beside none', async () => {
    for (const { file, built } of bundleFiles) {
      const written = readFileSync(`${bundleOf('')}/${file}`)
      expect(outputFiles.find(({ path }) => path.endsWith(`/${built}.cjs`))?.contents).toEqual(new Uint8Array(written))
      expect(written.includes('sourceMappingURL')).toBe(false)
    }
    // One with a part that is built beside another function, and one with parts of its own.
    for (const name of ['refresh', 'catalogue'] as const) {
      await writeMaps(name, usualFolder)
      const files = bundleFiles.flatMap(({ file }) => (dirname(file) === name ? [file] : []))
      expect(readdirSync(join(usualFolder, 'maps', name)).sort()).toEqual(
        files.map(file => `${basename(file)}.map`).sort(),
      )
    }
    expect(globSync(`${bundleOf('')}/**/*.map`)).toEqual([])
  })

  test('starts no process or thread and makes no code from text, nor do its packages', () => {
    const all = globSync(`${bundleOf('')}/**/*.cjs`)
    expect(all.length).toBeGreaterThan(functionNames.length)
    const makers =
      /["'`](?:node:)?(?:child_process|cluster|inspector|repl|vm|worker_threads)\b|\beval\(|(?<![.\w])Function\(/g
    const found = all.flatMap(file =>
      (readFileSync(file, 'utf8').match(makers) ?? []).map(maker => `${relative(bundleOf(''), file)}: ${maker}`),
    )
    expect(found).toEqual([])
  })
})

describe('a part that is loaded when it is first needed', () => {
  // The client of keys takes times for the bundles that carry it.
  const untimed = lazyParts.filter(({ file }) => file !== 'shared/aws/keys.ts')
  test.each(untimed)('beside $beside takes no times, which would stay in its own copy: $name', ({ beside, name }) => {
    expect(Object.keys(outputOf(`${beside}/${name}`).inputs)).not.toContain('shared/base/timing.ts')
  })

  test.each(lazyParts)('lies beside $beside, whose bundle does not carry $file', ({ file, beside, name }) => {
    expect(Object.keys(outputOf(beside).inputs)).not.toContain(file)
    expect(existsSync(`${bundleOf(beside)}/${name}.cjs`)).toBe(true)
  })

  test.each([
    ['validator', '/catalogue/validate', 'query=list%3Dtags'],
    ['paraminfo', '/catalogue/w/api.php', 'action=paraminfo'],
    ['mcp', '/catalogue/mcp', '', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ])('is loaded by the first request that needs it, and not before: %s', async (part, path, query, body?: string) => {
    const script = `
      const [file] = process.argv.slice(1)
      const { handler } = require(file)
      const ask = (rawPath, rawQueryString = '', body) => {
        const method = body ? 'POST' : 'GET'
        return handler({ rawPath, rawQueryString, headers: {}, body, requestContext: { http: { method } } })
      }
      const isLoaded = () => Object.keys(require.cache).some(known => known.endsWith('${part}.cjs'))
      ask('/catalogue').then(async () => {
        const before = isLoaded()
        const { statusCode } = await ask('${path}', '${query}', ${JSON.stringify(body)})
        process.stderr.write('\\n' + JSON.stringify([before, statusCode, isLoaded()]))
      })`
    expect(await loadedBy(script, [`${bundleOf('catalogue')}/index.cjs`])).toEqual([false, 200, true])
  })

  test('discovery asks KMS for nothing; the key set asks once for each key', async () => {
    let asked = 0
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const PublicKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    await using kms = await serve((_, response) => {
      asked++
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify({ PublicKey }))
    })
    const script = `
      const [file] = process.argv.slice(1)
      const { handler } = require(file)
      const ask = rawPath => handler({ rawPath, headers: {}, requestContext: { http: { method: 'GET' } } })
      const isLoaded = () => Object.keys(require.cache).some(known => known.endsWith('keys.cjs'))
      const keys = '/auth/.well-known/jwks.json'
      ask('/auth/.well-known/openid-configuration').then(async discovery => {
        const before = isLoaded()
        const statuses = [discovery, await ask(keys), await ask(keys)].map(answer => answer.statusCode)
        process.stderr.write('\\n' + JSON.stringify([before, ...statuses]))
      })`
    const env = {
      ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', AWS_ENDPOINT_URL: kms.url },
      ...variables,
    }
    expect(await loadedBy(script, [`${bundleOf('signing-keys')}/index.cjs`], env)).toEqual([false, 200, 200, 200])
    expect(asked).toBe(1)
  })
})

describe('the list of common passwords', () => {
  // By what is sent to them: that its row says so is what is tested.
  const choosing = endpointNames.filter(name => name === 'register' || membersOf(name).includes('new_password'))
  const fileOf = (name: string) => `${bundleOf(name)}/${commonPasswordsFile}`

  test('lies beside the functions that set a password; only these read the setting', () => {
    expect(functionNames.filter(name => existsSync(fileOf(name)))).toEqual(choosing)
    const told = needs.filter(([, { settings }]) => settings.includes('PASSWORD_BLOCKLIST'))
    expect(told.map(([name]) => name)).toEqual(choosing)
  })

  test('has at least 10,000, each of eight or more characters, once, in lower case', async () => {
    const text = await packCommonPasswords()
    for (const name of choosing) expect(readFileSync(fileOf(name), 'utf8')).toBe(text)
    const passwords = text.slice(1, -1).split('\n')
    expect(passwords.length).toBeGreaterThanOrEqual(10_000)
    expect(new Set(passwords).size).toBe(passwords.length)
    expect(passwords.filter(password => !/^[^A-Z]{8,}$/.test(password))).toEqual([])
    expect(passwords).toEqual(expect.arrayContaining(['password', '12345678', 'iloveyou', 'qwertyuiop']))
  })

  test.each(['register', 'reset-password'] as const)(
    'is what %s checks against where the setting is on',
    async name => {
      const answerWith = `
      const [file, event] = process.argv.slice(1)
      require(file).handler(JSON.parse(event), { getRemainingTimeInMillis: () => 10_000 }).then(({ body }) => {
        process.stderr.write('\\n' + body)
      })`
      const answer = async (password: string) => {
        const event = httpEvent({ body: { email: 'ada@example.com', password, token: '', new_password: password } })
        const env = { ...variables, RATE_LIMITS: 'off', PASSWORD_BLOCKLIST: 'on' }
        const args = ['-e', answerWith, `${bundleOf(name)}/index.cjs`, JSON.stringify(event)]
        const { stderr } = await promisify(execFile)(process.execPath, args, { env })
        return JSON.parse(stderr.slice(stderr.lastIndexOf('\n') + 1))
      }
      expect(await answer('Sunshine1')).toMatchObject({ status: 400, code: 'password-too-common' })
      expect(await answer('sunshin')).toMatchObject({ status: 400, code: 'password-too-short' })
    },
  )
})

/** Runs a function's first call in a new process. @returns the modules of Node that are loaded by then */
const firstCall = `
  const [file, event] = process.argv.slice(1)
  const context = { getRemainingTimeInMillis: () => 10_000 }
  require(file).handler(JSON.parse(event), context).then(() => {
    process.stderr.write('\\n' + JSON.stringify(process.moduleLoadList))
  })`

async function loadedBy(script: string, args: string[] = [], env: Record<string, string> = {}): Promise<string[]> {
  const { stderr } = await promisify(execFile)(process.execPath, ['-e', script, ...args], { env })
  return JSON.parse(stderr.slice(stderr.lastIndexOf('\n') + 1))
}

test('what was compressed quickly does not do for the smallest build', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-part-'))
  const output = join(folder, 'output')
  const part: Part = { name: 'part', sources: [], outputs: [output], write: async () => writeFileSync(output, '') }
  await writePart({ ...part, isQuick: true }, folder)
  expect(changesOf({ ...part, isQuick: true }, folder)).toEqual([])
  expect(changesOf(part, folder)).toBeNull()
  await writePart(part, folder)
  expect(changesOf({ ...part, isQuick: true }, folder)).toEqual([])
})

describe('the first call', () => {
  let calls = 0
  /** Stands in for AWS: it refuses every call with an error that the SDK does not retry. */
  let aws: WebServer
  beforeAll(async () => {
    aws = await serve((_, answer) => {
      calls += 1
      answer.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' })
      answer.end('{"__type":"com.amazonaws#AccessDeniedException","message":"no"}')
    })
  })
  afterAll(() => aws.close())

  const isUndici = (module: string) => module.includes('undici')
  /** Parts of Node that the SDK loads for features that functions never use: 1 to 3 ms of CPU each. */
  const isNeedless = (module: string) => /^NativeModule (zlib|fs\/promises|internal\/webstreams\/.*)$/.test(module)
  const mail = { kind: 'reset', email: 'ada@example.com', token: 't'.repeat(43), requested_at: Date.now() }
  const queued = { Records: [{ body: JSON.stringify(mail), attributes: {}, messageId: '1', receiptHandle: '1' }] }
  // A token that names no published key costs no call.
  const header = Buffer.from(JSON.stringify({ kid: variables.SIGNING_KEY_IDS })).toString('base64url')
  const request = httpEvent({
    path: '/auth/.well-known/jwks.json',
    headers: { authorization: `Bearer ${header}.YQ.YQ` },
    body: {
      ...{ email: 'ada@example.com', password: 'correct horse', token: 't', new_password: 'correct horse' },
      refresh_token: refreshTokenExample,
    },
  })

  test.each(needs)(
    'of %s never loads undici, which costs 12 ms (nodejs/node#59686), nor other needless parts',
    async (name, { may }) => {
      const before = calls
      const event = name === 'on-mail-queued' ? queued : request
      const loaded = await loadedBy(firstCall, [`${bundleOf(name)}/index.cjs`, JSON.stringify(event)], {
        ...variables,
        AWS_ENDPOINT_URL: aws.url,
        AWS_REGION: 'eu-central-1',
        AWS_ACCESS_KEY_ID: 'key',
        AWS_SECRET_ACCESS_KEY: 'secret',
      })
      expect(loaded.filter(module => isUndici(module) || isNeedless(module))).toEqual([])
      // Without a cookie, or a client that it knows, these call nothing.
      const isRefusedAtOnce = name === 'authorize-session' || rows[name].form !== undefined
      expect(calls > before).toBe(Object.keys(may).length > 0 && !isRefusedAtOnce)
    },
  )

  test('is checked by a test that notices undici', async () => {
    const script = `import('node:http').then(() => process.stderr.write(JSON.stringify(process.moduleLoadList)))`
    expect((await loadedBy(script)).some(isUndici)).toBe(true)
  })
})
