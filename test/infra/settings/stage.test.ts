import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../../infra/settings/settings.ts'
import { findStage } from '../../../infra/settings/stage.ts'

const root = join(import.meta.dirname, '../../..')

const directories: string[] = []
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true })
})

/** A directory of stages, by their files' contents. */
function stagesOf(files: Record<string, string>): string {
  const directory = mkdtempSync(join(tmpdir(), 'stages-'))
  directories.push(directory)
  for (const [name, contents] of Object.entries(files)) writeFileSync(join(directory, `${name}.env`), contents)
  return directory
}

/** What is found for the stage `demo` with a file of these contents. */
const demo = (contents: string, env: Record<string, string> = {}) =>
  findStage({ STAGE: 'demo', ...env }, stagesOf({ demo: contents }))

describe('without STAGE', () => {
  test.each([[{}], [{ STAGE: '' }], [{ STAGE: ' ' }], [{ STAGE: 'dev' }]])(
    '(%j) the environment states the settings of dev',
    env => {
      const { texts, complaints } = findStage({ ...env, BCRYPT_COST: '10' })
      expect(complaints).toEqual([])
      expect(readSettings(texts)).toMatchObject({ STAGE: 'dev', BCRYPT_COST: 10 })
    },
  )

  test('a file for dev is refused: nothing would read it', () => {
    expect(findStage({}, stagesOf({ dev: '' })).complaints).toEqual([
      'stages/dev.env must not exist: the stage dev takes its settings from the environment',
    ])
  })
})

describe('a named stage', () => {
  test('takes its settings from its file alone', () => {
    const contents = `
# A comment
BCRYPT_COST=11
MAIL_FROM=Example <no-reply@example.com>   # unquoted
site_url='https://example.com'
export TOKEN_AUDIENCE="https://api.example.com/#a"\r
`
    const { texts, complaints } = demo(contents, { PATH: '/bin', HOST: 'builder', PORT: '8080' })
    expect(complaints).toEqual([])
    expect(texts).toEqual({
      STAGE: 'demo',
      BCRYPT_COST: '11',
      MAIL_FROM: 'Example <no-reply@example.com>',
      SITE_URL: 'https://example.com',
      TOKEN_AUDIENCE: 'https://api.example.com/#a',
    })
  })

  test('has its name by the variable in any case', () => {
    expect(findStage({ stage: 'demo' }, stagesOf({ demo: '' })).texts).toEqual({ STAGE: 'demo' })
  })

  test('without a file is refused by one line that names those there are', () => {
    expect(findStage({ STAGE: 'demo' }, stagesOf({ prod: '', staging: '' }))).toEqual({
      texts: {},
      complaints: ["STAGE must name a file of stages/ (prod, staging), not 'demo'"],
    })
  })

  test.each(['../prod', 'Prod', 'prod.env', 'a'.repeat(17)])('is not looked for by a name such as %s', name => {
    const { texts } = findStage({ STAGE: name }, stagesOf({ prod: '' }))
    expect(() => readSettings(texts)).toThrow(/^STAGE must be /)
  })

  test.each([
    ['an unknown name', 'LOGO=1', 'LOGO is no setting of a stage'],
    ['a mistyped name', 'MAILFROM=a@example.com', 'MAILFROM is no setting of a stage; MAIL_FROM is'],
    ['a setting of npm start', 'INBOX_PORT=1', 'INBOX_PORT is no setting of a stage'],
    ['a name twice', 'BCRYPT_COST=10\nbcrypt_cost=11', 'BCRYPT_COST is stated twice', 2],
    ['a line that states nothing', 'BCRYPT_COST: 10', "'BCRYPT_COST: 10' is not NAME=value"],
  ])('is refused for %s', (_, contents, complaint, line = 1) => {
    expect(demo(contents).complaints).toEqual([`stages/demo.env, line ${line}: ${complaint}`])
  })

  test('is refused for every setting that the environment does not state as the file does', () => {
    const env = { mail_from: 'a@example.com', BCRYPT_COST: '10', SITE_URL: ' https://example.com ', RATE_LIMITS: '' }
    expect(demo('BCRYPT_COST=11\nSITE_URL=https://example.com\nRATE_LIMITS=off', env).complaints).toEqual([
      "MAIL_FROM is 'a@example.com' in the environment, but stages/demo.env does not state it: unset it, or change the file",
      "BCRYPT_COST is '10' in the environment, but stages/demo.env states '11': unset it, or change the file",
    ])
  })

  test('is refused when its file states another name', () => {
    expect(demo('STAGE=prod').complaints).toEqual([
      "STAGE is 'demo' in the environment, but stages/demo.env states 'prod': unset it, or change the file",
    ])
  })
})

test.each(globSync('stages/*.env', { cwd: root }))('%s is right', file => {
  const name = basename(file, '.env')
  const { texts, complaints } = findStage({ STAGE: name })
  expect(readSettings(texts, complaints).STAGE).toBe(name)
})

test('a synthesis with wrong settings ends with a line for each, and no stack trace', async () => {
  const app = join(root, 'infra/app.ts')
  const wrong = { STAGE: 'staging', SITE_URL: 'https://left.example', API_DOMAIN: 'api.left.example' }
  const env = { PATH: process.env.PATH, ...wrong }
  const failed: { code: number; stdout: string; stderr: string } = await promisify(execFile)(process.execPath, [app], {
    env,
  }).catch(error => error)
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr.split('\n')).toEqual([
    expect.stringMatching(/^SITE_URL is 'https:\/\/left.example' in the environment, but stages\/staging.env /),
    expect.stringMatching(/^API_DOMAIN is 'api.left.example' in the environment, but stages\/staging.env /),
    '',
  ])
})
