import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readSettings } from '../../../infra/settings/settings.ts'
import { findStage } from '../../../infra/settings/stage.ts'

const root = join(import.meta.dirname, '../../..')

/** A directory of stages, by their files' contents. */
function stagesOf(files: Record<string, string>): string {
  const directory = mkdtempSync(join(tmpdir(), 'stages-'))
  for (const [name, contents] of Object.entries(files)) writeFileSync(join(directory, `${name}.env`), contents)
  return directory
}

/** The settings of the stage `demo` with a file of these contents. */
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

const aComment = '# starts a comment here: quote the value, or put a space before the comment'

describe('a named stage', () => {
  test('takes its settings from its file alone', () => {
    const contents = `
# A comment
BCRYPT_COST=11
MAIL_FROM=Example <no-reply@example.com>   # unquoted
site_url='https://example.com'
export TOKEN_AUDIENCE="https://api.example.com/#a"\r
PRODUCT_NAME='Acme #1' # quoted
CORS_ORIGINS=* # a#b
`
    const { texts, complaints } = demo(contents, { PATH: '/bin', HOST: 'builder', PORT: '8080' })
    expect(complaints).toEqual([])
    expect(texts).toEqual({
      STAGE: 'demo',
      BCRYPT_COST: '11',
      MAIL_FROM: 'Example <no-reply@example.com>',
      SITE_URL: 'https://example.com',
      TOKEN_AUDIENCE: 'https://api.example.com/#a',
      PRODUCT_NAME: 'Acme #1',
      CORS_ORIGINS: '*',
    })
  })

  test('has its name by the variable in any case', () => {
    expect(findStage({ stage: 'demo' }, stagesOf({ demo: '' })).texts).toEqual({ STAGE: 'demo' })
  })

  test.each([[{ STAGE: '', stage: 'demo' }], [{ stage: 'demo', STAGE: '' }]])(
    'has it by the spelling that is not empty (%j)',
    env => {
      expect(findStage(env, stagesOf({ demo: '' })).texts).toEqual({ STAGE: 'demo' })
    },
  )

  test.each(['demo', 'none', 'dev'])('is refused when it has another name too (%s)', STAGE => {
    const { texts, complaints } = findStage({ stage: 'prod', STAGE }, stagesOf({ demo: '', prod: '' }))
    expect(() => readSettings(texts, complaints)).toThrow(
      `stage is 'prod' and STAGE is '${STAGE}', but they are the same setting: unset all but one`,
    )
  })

  test('warns of a mistyped name in the environment, as dev does', () => {
    const warnings = ['RATE_LIMIT is not a setting. Did you mean RATE_LIMITS?']
    expect(demo('', { RATE_LIMIT: 'off' })).toMatchObject({ complaints: [], warnings })
    expect(findStage({ RATE_LIMIT: 'off' })).toMatchObject({ complaints: [], warnings })
  })

  test('may have a file that begins with a byte order mark', () => {
    expect(demo('\ufeffBCRYPT_COST=11')).toMatchObject({ complaints: [], texts: { BCRYPT_COST: '11' } })
  })

  test('without a file is refused by one line with the stages and the path', () => {
    const directory = stagesOf({ prod: '', staging: '' })
    expect(findStage({ STAGE: 'demo' }, directory)).toEqual({
      texts: {},
      place: expect.anything(),
      warnings: [],
      complaints: [`STAGE must name a file in stages/ (prod, staging), not 'demo': there is no ${directory}/demo.env`],
    })
  })

  test.each([
    [{ STAGE: 'prod' }, ['prod', 'prod-eu', 'production'], 'prod and prod-eu'],
    [{ STAGE: 'prod-eu' }, ['prod', 'prod-eu', 'production'], 'prod and prod-eu'],
    [{ STAGE: 'dev-ada' }, ['dev-ada'], 'dev and dev-ada'],
    [{}, ['dev-ada'], 'dev and dev-ada'],
  ])('is refused beside one whose name continues after a hyphen (%j)', (env, stages, both) => {
    const { complaints } = findStage(env, stagesOf(Object.fromEntries(stages.map(stage => [stage, '']))))
    expect(complaints).toEqual([expect.stringContaining(`The stages ${both} overlap: `)])
  })

  test.each(['../prod', 'Prod', 'prod.env', 'a'.repeat(13)])('is refused when its name is %s', name => {
    const { texts } = findStage({ STAGE: name }, stagesOf({ prod: '' }))
    expect(() => readSettings(texts)).toThrow(/^STAGE must be /)
  })

  test.each([
    ['an unknown name', 'LOGO=1', 'LOGO is not a setting of a stage'],
    ['a mistyped name', 'MAILFROM=a@example.com', 'MAILFROM is not a setting of a stage; did you mean MAIL_FROM?'],
    ['a setting of npm start', 'INBOX_PORT=1', 'INBOX_PORT is not a setting of a stage'],
    ['a name twice', 'BCRYPT_COST=10\nbcrypt_cost=11', 'BCRYPT_COST is set twice', 2],
    ['a # in a value', 'PRODUCT_NAME=a#b', aComment],
    ['a # at the start of a value', 'PRODUCT_NAME=#1', aComment],
    ['a quote that is not closed', 'PRODUCT_NAME="unclosed', 'the value starts with " and must end at the next "'],
    ['text behind a quote', 'MAIL_FROM="A, B" <a@example.com>', 'the value starts with " and must end at the next "'],
    ['the name of another stage', 'STAGE=prod', "the file's name sets STAGE to 'demo': remove this line"],
    ['no name of a stage', 'STAGE=', "the file's name sets STAGE to 'demo': remove this line"],
    ...['yes', 'on', '1', 'truee'].map((text): [string, string, string] => [
      `a flag that is ${text}`,
      `REQUIRE_EMAIL_VERIFICATION=${text}`,
      `REQUIRE_EMAIL_VERIFICATION must be \`true\` or \`false\`, not '${text}'`,
    ]),
    ['a line that states nothing', 'BCRYPT_COST: 10', "'BCRYPT_COST: 10' is not NAME=value"],
  ])('is refused for %s', (_, contents, complaint, line = 1) => {
    expect(demo(contents).complaints).toEqual([`stages/demo.env, line ${line}: ${complaint}`])
  })

  test('is refused for every setting that the environment does not state as the file does', () => {
    const env = { mail_from: 'a@example.com', BCRYPT_COST: '10', SITE_URL: ' https://example.com ', RATE_LIMITS: '' }
    expect(demo('BCRYPT_COST=11\nSITE_URL=https://example.com\nRATE_LIMITS=off', env).complaints).toEqual([
      "MAIL_FROM is 'a@example.com' in the environment, but stages/demo.env does not set it: unset it, or change the file",
      "BCRYPT_COST is '10' in the environment, but stages/demo.env sets it to '11': unset it, or change the file",
    ])
  })

  test('is refused without what a list holds, which may be a secret', () => {
    const env = { SIGN_IN_PROVIDERS: '[{"secret":"s3cret"}]' }
    const differs = "SIGN_IN_PROVIDERS is '…' in the environment, but stages/demo.env"
    expect(demo('', env).complaints).toEqual([`${differs} does not set it: unset it, or change the file`])
    expect(demo("SIGN_IN_PROVIDERS='[{}]'", env).complaints).toEqual([
      `${differs} sets it to '…': unset it, or change the file`,
    ])
  })

  test.each([
    ['REQUIRE_EMAIL_VERIFICATION', 'FALSE', 'false'],
    ['require_email_verification', 'true', '" TRUE "'],
    ['REQUIRE_EMAIL_VERIFICATION', '', ''],
    ['SITE_URL', 'https://example.com/', 'https://example.com'],
    ['CORS_ORIGINS', 'https://a.example,https://b.example', 'https://a.example, https://b.example'],
  ])('takes %s=%s in the environment for %s in its file', (name, text, stated) => {
    expect(demo(`${name}=${stated}`, { [name]: text }).complaints).toEqual([])
  })

  test('does not read an invalid flag as false', () => {
    const env = { REQUIRE_EMAIL_VERIFICATION: 'yes' }
    expect(demo('REQUIRE_EMAIL_VERIFICATION=false', env).complaints).toEqual([
      "REQUIRE_EMAIL_VERIFICATION is 'yes' in the environment, but stages/demo.env sets it to 'false': unset it, or change the file",
    ])
  })
})

describe('STAGES_DIR', () => {
  const folder = () => stagesOf({ demo: 'BCRYPT_COST=11\nOIDC_CLIENTS=@list.json', list: '' })

  test.each<[string, (directory: string) => Record<string, string>]>([
    ['absolute', directory => ({ STAGES_DIR: directory, INIT_CWD: '/' })],
    ['ending in a slash', directory => ({ STAGES_DIR: `${directory}/` })],
    ['in small letters', directory => ({ stages_dir: directory })],
    ['of the folder in which one stands', directory => ({ STAGES_DIR: basename(directory), INIT_CWD: tmpdir() })],
  ])('has the files of stages, and their lists: %s', (_, envOf) => {
    const directory = folder()
    writeFileSync(join(directory, 'list.json'), '[]')
    const { texts, complaints, place } = findStage({ STAGE: 'demo', ...envOf(directory) })
    expect(readSettings(texts, complaints, place)).toMatchObject({ STAGE: 'demo', BCRYPT_COST: 11, OIDC_CLIENTS: [] })
  })

  test('is named by every complaint about a file there', () => {
    const directory = stagesOf({ demo: 'LOGO=1\nOIDC_CLIENTS=@none.json' })
    const { texts, complaints, place } = findStage({ STAGE: 'demo', STAGES_DIR: directory, BCRYPT_COST: '10' })
    expect(() => readSettings(texts, complaints, place)).toThrow(
      [
        `${directory}/demo.env, line 1: LOGO is not a setting of a stage`,
        `BCRYPT_COST is '10' in the environment, but ${directory}/demo.env does not set it: unset it, or change the file`,
        `OIDC_CLIENTS must be a JSON array of applications: ${directory}/none.json: there is no such file`,
      ].join('\n'),
    )
  })

  test.each([
    [
      'a stage without a file there',
      'prod',
      '',
      "STAGE must name a file in D/ (demo, list), not 'prod': there is no D/prod.env",
    ],
    ['a folder that is not there', 'demo', '/none', "STAGES_DIR must be a folder, not 'D/none': there is none"],
    ['no folder, for dev too', 'dev', '/demo.env', "STAGES_DIR must be a folder, not 'D/demo.env': "],
  ])('is refused for %s', (_, STAGE, below, complaint) => {
    const directory = folder()
    const { complaints } = findStage({ STAGE, STAGES_DIR: `${directory}${below}` })
    expect(complaints).toEqual([expect.stringContaining(complaint.replaceAll('D/', `${directory}/`))])
  })

  test('is no setting of a stage, and is meant by a name close to it', () => {
    expect(demo('STAGES_DIR=x').complaints).toEqual(['stages/demo.env, line 1: STAGES_DIR is not a setting of a stage'])
    expect(demo('', { STAGE_DIR: 'x' }).warnings).toEqual(['STAGE_DIR is not a setting. Did you mean STAGES_DIR?'])
  })
})

test.each(globSync('stages/*.env', { cwd: root }))('%s is right', file => {
  const name = basename(file, '.env')
  const { texts, complaints, place } = findStage({ STAGE: name })
  expect(readSettings(texts, complaints, place).STAGE).toBe(name)
})

describe('a list in a file, in a stage,', () => {
  const list = JSON.stringify([{ id: 'app', name: 'App', redirects: ['https://app.example.com/'] }])

  /** The applications of a stage, or the refusal, with this path in its file. The folder beside that of the stages has a list too. */
  function read(path: string, env: Record<string, string> = {}): string {
    const directory = join(stagesOf({}), 'stages')
    mkdirSync(join(directory, 'lists'), { recursive: true })
    for (const folder of ['', 'lists', '..']) writeFileSync(join(directory, folder, 'apps.json'), list)
    symlinkSync('apps.json', join(directory, 'link.json'))
    symlinkSync('lists', join(directory, 'linked'))
    symlinkSync('../apps.json', join(directory, 'out.json'))
    writeFileSync(join(directory, 'demo.env'), `OIDC_CLIENTS=@${path}`)
    const { texts, complaints, place } = findStage({ STAGE: 'demo', ...env }, directory)
    try {
      return readSettings(texts, complaints, place)
        .OIDC_CLIENTS.map(({ id }) => id)
        .join()
    } catch (error) {
      return String(error).replaceAll(directory, '…')
    }
  }

  test.each(['apps.json', './apps.json', 'lists/apps.json', 'lists//apps.json'])('is of its folder: %s', path => {
    expect(read(path, { INIT_CWD: '/' })).toBe('app')
  })

  test.each([
    '../apps.json',
    'lists/../apps.json',
    'lists/../../apps.json',
    'lists/..',
    '..',
    '..\\apps.json',
    join(root, 'package.json'),
    'link.json',
    'out.json',
    'linked/apps.json',
  ])('is refused out of its folder, or behind a link: %s', path => {
    expect(read(path)).toBe(
      `SettingsError: OIDC_CLIENTS must be a JSON array of applications: stages/${path}: the path must stay in stages/, and follow no link`,
    )
  })

  test.each([
    ['none.json', 'there is no such file'],
    ['', 'the path must stay in stages/'],
    ['none/apps.json', 'there is no such file'],
    ['lists', 'is not a file'],
    ['/dev/zero', 'the path must stay in stages/'],
  ])('is refused where it is none: %s', (path, reason) => {
    expect(read(path)).toContain(`: stages/${path}: ${reason}`)
  })

  test('is compared with the environment as text', () => {
    expect(read('apps.json', { OIDC_CLIENTS: '@apps.json' })).toBe('app')
    for (const other of ['@./apps.json', list]) {
      expect(read('apps.json', { OIDC_CLIENTS: other })).toMatch(
        /^SettingsError: OIDC_CLIENTS is '…' in the environment/,
      )
    }
  })
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
