import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { operatorFileName } from '../../../local/operator.ts'
import { covering } from '../../support/covering.ts'
import { settingsToRun } from '../../support/stack/settings.ts'
import { assembled } from '../../support/system/assembled.ts'
import { runWithCommands } from '../../support/system/local-commands.ts'
import { operate } from '../../support/system/operate.ts'
import { cloudFrontOf } from './proxy.ts'

/** The calls of the smoke test in README, guide and workflow, against stages of all pairs of settings. */

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')

interface Workflow {
  jobs: Record<string, { steps?: { run?: string }[] }>
}

const blocks = ['README.md', 'docs/deploy.md'].flatMap(file =>
  [...read(file).matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, script = '']) => ({ file, script })),
)
const workflow = '.github/workflows/deploy-stage.yml'
const steps = Object.values((parse(read(workflow)) as Workflow).jobs).flatMap(({ steps = [] }) =>
  steps.flatMap(({ run }) => (run === undefined ? [] : [{ file: workflow, script: run }])),
)
const calls = [...blocks, ...steps].flatMap(({ file, script }) =>
  [...script.matchAll(/^ *npm run smoke -- (?:.*\\\n)*.*$/gm)].map(([call]) => ({ file, call })),
)

test('the guide prints one call, and the pipeline makes one', () => {
  expect(calls.map(({ file }) => file)).toEqual(['docs/deploy.md', workflow])
})

/** The arguments that a shell passes to `npm run smoke --`, in a folder with a stack's outputs. */
function argumentsOf(call: string, outputs: object): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-calls-'))
  writeFileSync(join(directory, 'outputs.json'), JSON.stringify(outputs))
  const npm = join(directory, 'npm')
  writeFileSync(npm, `#!/bin/sh\nshift 3\nprintf '%s\\0' "$@"\n`)
  chmodSync(npm, 0o755)
  const env = { PATH: `${directory}:${process.env.PATH}` }
  return execFileSync('sh', ['-euc', call], { cwd: directory, env, encoding: 'utf8' }).split('\0').slice(0, -1)
}

/** The values of each setting with an effect on the smoke test, the default first; '' is unset. */
const values = {
  CORS_ORIGINS: ['', 'https://app.example.com', 'https://app.example.com,https://example.org'],
  CATALOGUE_CDN: ['', 'off'],
  SIGN_UP: ['', 'invited'],
  SIGN_UP_DOMAINS: ['', 'example.net,example.org'],
  SECOND_FACTOR: ['', 'off', 'required'],
  REQUIRE_EMAIL_VERIFICATION: ['', 'true'],
  SESSION_DAYS: ['', '0'],
  TOKEN_AUDIENCE: ['', 'example'],
} as const
const names = Object.keys(values) as (keyof typeof values)[]
const pairs = names.flatMap((name, i) => names.slice(i + 1).map(other => [name, other] as const))

/** @throws if a setting needs another */
const settingsOf = (env: Record<string, string>) =>
  settingsToRun({ MAIL_FROM: 'Gatehouse <no-reply@localhost>', ...env })

const given = (some: Partial<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(some).flatMap(([name, value]) => (value ? [[name, value]] : [])))

const every = names.reduce<Record<string, string>[]>(
  (some, name) => some.flatMap(one => values[name].map(value => ({ ...one, [name]: value }))),
  [{}],
)
const possible = every.filter(one => {
  try {
    return settingsOf(given(one))
  } catch {
    return false
  }
})
const isPossible = (some: Partial<Record<string, string>>) =>
  possible.some(one => Object.entries(some).every(([name, value]) => one[name] === value))

const stages = covering(values, pairs, isPossible)

test('a few stages have all pairs of values', () => {
  expect(stages.length).toBeLessThanOrEqual(16)
})

interface Check {
  rule: string
  result: string
  reason?: string
}

describe.each(stages.map(given))('each printed call, at a stage with %j', env => {
  const { running, dataDirectory } = runWithCommands(env)
  let outputs: Record<string, Record<string, string>>
  beforeAll(() => {
    outputs = JSON.parse(readFileSync(join(dataDirectory, operatorFileName), 'utf8')).outputs
  })

  test('passes, and says why it skips what it skips', async () => {
    const { template } = await assembled(settingsOf(env))
    if (template.Outputs?.CatalogueUrl) {
      const CatalogueUrl = `${await cloudFrontOf(running.system.baseUrl, template)}/catalogue`
      outputs = { Gatehouse: { ...outputs.Gatehouse, CatalogueUrl } }
    }
    const [args = [], ...others] = calls.map(({ call }) => argumentsOf(call, outputs))
    expect(others).toEqual(others.map(() => args))

    const outcome = await operate('smoke', [...args, '--json'], { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } })
    const { checks } = JSON.parse(outcome.stdout) as { checks: Check[] }
    expect(checks.filter(({ result }) => result === 'failed')).toEqual([])
    expect(outcome.status).toBe(0)
    const reasons = checks.flatMap(({ result, reason = '' }) => (result === 'skipped' ? [reason] : []))
    // Checks with a token are skipped for the login's reason.
    for (const reason of reasons.filter(reason => !reason.startsWith('there is no token'))) {
      const blamed = reason.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []
      expect(Object.keys(env), reason).toEqual(expect.arrayContaining(blamed))
      if (blamed.length === 0) expect(reason).toMatch(/; pass --\w+/)
    }
    expect(reasons[0]).not.toMatch(/^there is no token/)
  })
})
