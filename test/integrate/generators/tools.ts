import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The tested versions; npm installs its own. */
export const versions = {
  openapiGenerator: '7.25.0',
  openapiPythonClient: '0.29.1',
  oapiCodegen: 'v2.8.2',
  ogen: 'v1.24.0',
  goOidc: 'v3.21.0',
  oauth2: 'v0.38.0',
  goCrypto: 'golang.org/x/crypto@v0.59.0',
  goText: 'golang.org/x/text@v0.44.0',
  springBoot: '4.1.2',
}

/** The base of the application with Spring. */
const springBoot = `org.springframework.boot:spring-boot-starter-parent:${versions.springBoot}:pom`

/** The imports of the application in Go. */
export const goModules = [`github.com/coreos/go-oidc/v3@${versions.goOidc}`, `golang.org/x/oauth2@${versions.oauth2}`]

type Check = () => Promise<string | null>

/** Passes when a command prints a text. */
const printing =
  (text: string, command: string, ...args: string[]): Check =>
  async () => {
    const { stdout, stderr } = await run(command, args).catch(() => ({ stdout: '', stderr: '' }))
    return (stdout + stderr).includes(text) ? null : `${command} ${text} is not on PATH`
  }

/** openapi-generator's jar, from Maven Central (`org.openapitools:openapi-generator-cli`). */
export const generatorJar = process.env.OPENAPI_GENERATOR_JAR ?? ''

/** The programs of clients of others, which have packages of their own. */
export const clientsFolder = join(import.meta.dirname, '../../../docs/examples/clients')

/** Their packages of PyPI, each with its version. */
export const pythonClients = readFileSync(join(clientsFolder, 'requirements.txt'), 'utf8').trim().split('\n')

/** Required programs by name: each returns a complaint, or null. */
export const tools = {
  openapiGenerator: async () =>
    generatorJar.endsWith(`-${versions.openapiGenerator}.jar`) && existsSync(generatorJar)
      ? null
      : `OPENAPI_GENERATOR_JAR does not name openapi-generator-cli-${versions.openapiGenerator}.jar`,
  openapiPythonClient: printing(versions.openapiPythonClient, 'openapi-python-client', '--version'),
  oapiCodegen: printing(versions.oapiCodegen, 'oapi-codegen', '-version'),
  ogen: printing(versions.ogen, 'ogen', '--version'),
  java: printing('version', 'java', '-version'),
  maven: printing('Apache Maven', 'mvn', '-version'),
  go: printing('go version', 'go', 'version'),
  goModules: () =>
    run('go', ['mod', 'download', ...goModules]).then(
      () => null,
      () => `go does not find ${goModules.join(' and ')}`,
    ),
  springBoot: () =>
    run('mvn', ['-q', '-B', 'dependency:get', `-Dartifact=${springBoot}`]).then(
      () => null,
      () => `Maven does not find ${springBoot}`,
    ),
  /** With the imports of generated clients. */
  python: printing('httpx', 'python3', '-c', 'import pydantic, dateutil, urllib3, attr, httpx; print("httpx")'),
  passlib: printing('passlib', 'python3', '-c', 'import passlib.hash, bcrypt; print("passlib")'),
  django: printing('django', 'python3', '-c', 'import django, bcrypt; print("django")'),
  php: printing('intl', 'php', '-m'),
  authlib: printing('authlib', 'python3', '-c', 'import authlib, flask, requests; print("authlib")'),
  pythonClients: () => {
    const names = pythonClients.map(line => line.replace(/==.*/, ''))
    const script =
      'import sys; from importlib.metadata import version; print(*(f"{n}=={version(n)}" for n in sys.argv[1:]))'
    return printing(pythonClients.join(' '), 'python3', '-c', script, ...names)()
  },
  npmClients: async () =>
    existsSync(join(clientsFolder, 'node_modules'))
      ? null
      : 'The packages of docs/examples/clients are not installed (npm ci, there)',
} satisfies Record<string, Check>

export const needing =
  (...names: (keyof typeof tools)[]): Check =>
  async () => {
    for (const name of names) {
      const missing = await tools[name]()
      if (missing) return missing
    }
    return null
  }

/** By default openapi-generator takes a schema without `additionalProperties` for a closed one. */
const takesMore = '--additional-properties=disallowAdditionalPropertiesIfNotPresent=false'

/** Common to openapi-generator's clients. @param options `name=value` */
export const openapiGenerator = (language: string, ...options: string[]) => ({
  version: versions.openapiGenerator,
  advice: `\`${takesMore}\``,
  generate: [
    ...(['java', '-jar', generatorJar, 'generate', '-i', 'openapi.json', '-o', 'client', '-g', language] as const),
    [takesMore, ...options].join(),
  ] as const,
})
