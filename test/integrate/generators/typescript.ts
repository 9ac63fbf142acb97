import { join } from 'node:path'
import integrate from '../package.json' with { type: 'json' }
import { type Call, type Generator, lowerFirst, quoted } from './generator.ts'
import { needing, openapiGenerator } from './tools.ts'

const installed = integrate.devDependencies
const packages = join(import.meta.dirname, '../../../node_modules')

const compilerOptions = {
  ...{ strict: true, noEmit: true, types: ['node'], skipLibCheck: true },
  ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2024', allowImportingTsExtensions: true },
}

const common = `const baseUrl = process.env.GATEHOUSE_URL ?? ''
const print = (id: string, response: Response | undefined, answer: unknown) =>
  console.log(JSON.stringify({ id, status: response?.status, answer }))
`

const program = (imports: string, call: (call: Call) => string) => (calls: Call[]) => ({
  'program.ts': [imports, common, ...calls.map(each => `{\n${call(each)}\n}`)].join('\n'),
  'tsconfig.json': JSON.stringify({ compilerOptions, files: ['program.ts'] }),
})

const commands = [
  [join(packages, '.bin/tsc')],
  [
    join(packages, '.bin/esbuild'),
    ...'program.ts --bundle --platform=node --format=esm --outfile=program.mjs'.split(' '),
  ],
  [process.execPath, 'program.mjs'],
] as const

/** The code of any problem is a text, known or not. */
const codeOf = `const code: string | undefined = error && 'code' in error ? error.code : undefined
  if (error) console.error(code)`

const openapiTypescript: Generator = {
  name: 'openapi-typescript',
  version: installed['openapi-typescript'],
  missing: needing(),
  generate: [
    join(import.meta.dirname, '../node_modules/.bin/openapi-typescript'),
    'openapi.json',
    '-o',
    'gatehouse.ts',
  ],
  files: program(
    `import createClient from 'openapi-fetch'\nimport type { paths } from './gatehouse.ts'`,
    ({ id, method, path, body, token }) => {
      const headers = token && `headers: { authorization: ${quoted(`Bearer ${token}`)} }, `
      const options = `{ ${headers ?? ''}${body ? `body: ${JSON.stringify(body.value)}` : ''} }`
      return `  const api = createClient<paths>({ baseUrl })
  const { response, data, error } = await api.${method}(${quoted(path)}, ${options})
  ${codeOf}
  print(${quoted(id)}, response, data ?? error)`
    },
  ),
  commands,
}

const heyApi: Generator = {
  name: '@hey-api/openapi-ts',
  version: installed['@hey-api/openapi-ts'],
  missing: needing(),
  generate: [
    process.execPath,
    ...['--import', join(import.meta.dirname, 'typescript-5.ts')],
    // What its command starts.
    join(packages, '@hey-api/openapi-ts/dist/run.mjs'),
    ...['-i', 'openapi.json', '-o', 'client'],
  ],
  files: program(
    `import { client } from './client/client.gen'\nimport * as api from './client/sdk.gen'\n`,
    ({ id, body, token }) => `  client.setConfig({ baseUrl, auth: ${quoted(token ?? '')} })
  const { response, data, error } = await api.${id}(${body ? `{ body: ${JSON.stringify(body.value)} }` : ''})
  ${codeOf}
  print(${quoted(id)}, response, data ?? error)`,
  ),
  commands,
}

const typescriptFetch: Generator = {
  name: 'openapi-generator typescript-fetch',
  missing: needing('openapiGenerator', 'java'),
  ...openapiGenerator('typescript-fetch'),
  files: program(`import * as client from './client'`, ({ id, body, reply, token }) => {
    const sent = body && `{ ${lowerFirst(body.shape)}: client.${body.shape}FromJSON(${JSON.stringify(body.value)}) }`
    return `  const api = new client.AccountsApi(
    new client.Configuration({ basePath: baseUrl, accessToken: ${quoted(token ?? '')} }),
  )
  try {
    const answer = await api.${id}Raw(${sent ?? ''})
    print(${quoted(id)}, answer.raw, client.${reply}ToJSON(await answer.value()))
  } catch (error) {
    if (!(error instanceof client.ResponseError)) throw error
    const { response } = error
    print(${quoted(id)}, response, client.AnyProblemToJSON(client.AnyProblemFromJSON(await response.json())))
  }`
  }),
  commands,
}

export const ofTypescript = [openapiTypescript, heyApi, typescriptFetch]
