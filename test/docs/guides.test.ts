import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import * as sesv2 from '@aws-sdk/client-sesv2'
import { describe, expect, test } from 'vitest'
import { guardedBy } from '../../accounts/account/attributes.ts'
import { writeLink } from '../../accounts/mail/templates.ts'
import { discoveryResponse } from '../../api/make-replies.ts'
import { type Route, routes } from '../../api/routes.ts'
import { clients } from '../../docs/write/clients.ts'
import { listCommands } from '../../docs/write/commands.ts'
import { absent, present } from '../../docs/write/features.ts'
import { settingsTable } from '../../infra/settings/settings.ts'
import { localSettingsTable } from '../../local/local-settings.ts'
import { guards } from '../../shared/base/row.ts'
import { acme } from '../accounts/mail/every-mail.ts'
import { pythonClients, versions } from '../integrate/generators/tools.ts'
import { passlibVector, readers, trialsOf } from '../integrate/programs.ts'
import { english } from '../support/letter-words.ts'
import { everything } from '../support/stack/settings.ts'
import { synthesize } from '../support/stack/template.ts'

/** Links, paths, commands and sections in the documents. Copies of code are written by `npm run docs`. */

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const guide = read('docs/deploy.md')
const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts)

/** The text under a heading, up to the next of its level. */
function section(heading: string): string {
  const [, level = ''] = new RegExp(`^(#+) ${heading}$`, 'm').exec(guide) ?? []
  const [, rest = ''] = guide.split(`\n${level} ${heading}\n`)
  return rest.split(new RegExp(`\n#{2,${level.length}} `))[0] ?? ''
}

/** The rows of a section's tables, as their cells. */
const rows = (heading: string): string[][] =>
  section(heading)
    .split('\n')
    .filter(line => /^\| (?!-)/.test(line))
    .map(line =>
      line
        .slice(1, -1)
        .split('|')
        .map(cell => cell.trim()),
    )

const stack = synthesize({ ...everything, SIGNING_KEYS: 'main' })

/** Some of a stack's resources, as CloudFormation lists them. */
const ofStack = [
  { ResourceType: 'AWS::IAM::Role', PhysicalResourceId: 'Gatehouse-prod-LoginRole-ABC' },
  { ResourceType: 'AWS::IAM::Role', PhysicalResourceId: 'Gatehouse-prod-RegisterRole-DEF' },
  { ResourceType: 'AWS::Lambda::Function', PhysicalResourceId: 'Gatehouse-prod-LoginFunction-GHI' },
]

describe('the guide to deploying', () => {
  test('has a section for each alarm, which the alarm names', () => {
    const alarms = stack.all('AWS::CloudWatch::Alarm')
    expect(alarms.length).toBeGreaterThan(20)
    const named = alarms.map(([id, { Properties }]) => {
      const [, anchor = id] = /\(docs\/deploy\.md#([\w-]+)\)$/.exec(String(Properties.AlarmDescription)) ?? []
      return anchor
    })
    const sections = [...section('Runbooks').matchAll(/^### (.+)$/gm)].map(([, heading]) => heading)
    expect([...new Set(named)].sort()).toEqual([...sections].sort())
    for (const heading of sections) expect(section(heading ?? '').trim().length).toBeGreaterThan(100)
  })

  test('says what each output is', () => {
    const { Outputs } = stack.template as unknown as { Outputs: object }
    const told = rows('Deploy').flatMap(([cell = '']) => [...cell.matchAll(/`(\w+)/g)].map(([, name = '']) => name))
    const isTold = (output: string) =>
      told.some(name => output === name || (name.endsWith('Dkim') && output.startsWith(name)))
    expect(Object.keys(Outputs).filter(output => !isTold(output))).toEqual([])
    expect(told.filter(name => !Object.keys(Outputs).some(output => output.startsWith(name)))).toEqual([])
  })

  test('says of everything that outlives the stack how it goes', () => {
    const kept = Object.entries(stack.template.Resources).filter(([, { DeletionPolicy }]) =>
      DeletionPolicy?.startsWith('Retain'),
    )
    const told = rows('Taking it down').map(([cell = '']) => cell)
    for (const [id, { Type }] of kept) {
      const name = Type === 'AWS::KMS::Key' ? 'The signing keys' : id.replace(/[\dA-F]{8}$/, '')
      expect({ id, told: told.some(cell => cell.includes(name)) }).toEqual({ id, told: true })
    }
  })

  test('knows no setting that there is not', () => {
    const settings = Object.keys({ ...settingsTable, ...localSettingsTable })
    const others = [
      'ACCOUNT',
      'QUALIFIER',
      'AWS_PROFILE',
      'AWS_REGION',
      'BASE',
      'DEPLOY_ROLE_ARN',
      'DIFF_ROLE_PROD',
      'DIFF_ROLE_STAGING',
    ]
    const named = [...guide.matchAll(/`([A-Z][A-Z_]{3,})(?:=[^`]*)?`/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(name => !settings.includes(name) && !others.includes(name))).toEqual([])
  })

  test('calls SES by operations and members that it has', () => {
    const requests = new Map<string, unknown>(Object.entries(sesv2))
    const inPascal = (name: string) => name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())
    const commands = [...guide.matchAll(/aws sesv2 ([a-z-]+)((?: +(?:--)?[^`\n\s]+)*)/g)]
    expect(new Set(commands.map(([, name]) => name)).size).toBeGreaterThan(7)
    for (const [command, name = '', options = ''] of commands) {
      const schema = requests.get(`${inPascal(name)}Request$`)
      const members = (Array.isArray(schema) ? schema : []).flat()
      for (const [, option = ''] of options.matchAll(/ --([a-z-]+)/g)) {
        expect({ command, option, known: members.includes(inPascal(option)) }).toMatchObject({ known: true })
      }
      expect({ command, known: schema !== undefined }).toMatchObject({ known: true })
    }
  })

  test('says of every role and policy of the deploy what it gives away', () => {
    const bootstrap = read('node_modules/aws-cdk/lib/api/bootstrap/bootstrap-template.yaml')
    const roles = [...bootstrap.matchAll(/Fn::Sub: cdk-\$\{Qualifier\}-([a-z-]+-role)-\$\{AWS::AccountId\}/g)]
    expect(roles.length).toBeGreaterThan(3)
    const operators = Object.keys(stack.template.Outputs ?? {}).filter(name => name.startsWith('Operator'))
    const due = [
      'GatehousePipeline-<stage>-diff',
      'GatehousePipeline-<stage>-deploy',
      ...roles.map(([, role]) => `cdk-<qualifier>-${role}`),
      ...operators,
    ]
    const told = rows('Roles')
    expect(told.flatMap(([cell = '']) => /^`([^`]+)`$/.exec(cell)?.[1] ?? []).sort()).toEqual(due.sort())
    for (const cells of told) expect(cells.filter(cell => cell !== '')).toHaveLength(4)
  })

  test('records everybody but the stack’s functions in the audit trail, under any role name', () => {
    const [, commands = ''] = /```sh\n(.*?)```/s.exec(section('Who did what: an audit trail')) ?? []
    const directory = mkdtempSync(join(tmpdir(), 'audit-trail-'))
    writeFileSync(join(directory, 'outputs.json'), '{"Gatehouse-prod":{"UsersTable":"users"}}')
    // The AWS CLI's answers; for the last command, its selectors.
    const answers = `
      aws() {
        case $1 in
          dynamodb) echo arn:aws:dynamodb:eu-central-1:111122223333:table/users ;;
          sts) echo 111122223333 ;;
          cloudformation) [ "$4" = Gatehouse-prod ] && echo '${JSON.stringify({ StackResourceSummaries: ofStack })}' ;;
          cloudtrail) echo "$6" ;;
        esac
      }
    `
    const [selector] = JSON.parse(
      execFileSync('bash', ['-euc', answers + commands], { cwd: directory, encoding: 'utf8' }),
    )
    const fields: { Field: string; NotStartsWith?: string[] }[] = selector.FieldSelectors
    const functions = fields.find(({ Field }) => Field === 'userIdentity.arn')?.NotStartsWith ?? []
    const isRecorded = (role: string) =>
      !functions.some(prefix => `arn:aws:sts::111122223333:assumed-role/${role}/session`.startsWith(prefix))
    expect(isRecorded('Gatehouse-prod-LoginRole-ABC')).toBe(false)
    expect(isRecorded('Gatehouse-prod-operators')).toBe(true)
    expect(isRecorded('Gatehouse-prod-LoginRole-ABCDEF')).toBe(true)
  })
})

test('the runbook of a theft says which sessions are kept, as the table does', () => {
  const config = {
    browserUrl: null,
    hasClients: true,
    issuer: 'https://example.com/auth',
    languages: [],
    sessionDays: 30,
  }
  const isTold = Object.keys(discoveryResponse({ config })).includes('backchannel_logout_supported')
  for (const text of [
    section('An account was taken over'),
    read('docs/security.md').split('\n## What a thief gets\n')[1],
  ])
    expect(/\*\*applications keep sessions of their own/i.test(text ?? '')).toBe(!isTold)
})

test('the guide to one machine shows a mail with the subject that it has', () => {
  const [, shown] = /"subject": "([^"]*)"/.exec(read('docs/local.md')) ?? []
  const ada = { email: 'ada@example.com', name: 'Ada', isVerified: false }
  const sender = { ...acme, productName: settingsTable.PRODUCT_NAME.fallback }
  expect(shown).toBe(
    writeLink(english, 'verification', ada, 'http://localhost:3000/verify-email?token=x', sender).subject,
  )
})

test('the page of versions names each upgrade that has a page', () => {
  const upgrades = globSync('upgrade/*.md', { cwd: join(root, 'docs') })
  expect(upgrades.length).toBeGreaterThan(0)
  for (const upgrade of upgrades) expect(read('docs/versions.md')).toContain(`](${upgrade})`)
})

const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )

/** All there is to read. */
const documents = globSync('{*,.github/*,.github/*/*,docs/*,docs/upgrade/*}.md', { cwd: root })

test.each(documents)('%s links to files and headings that exist', file => {
  const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)]
  for (const [link, path = '', anchor] of links) {
    const target = path === '' ? file : join(dirname(file), path)
    expect({ link, found: existsSync(join(root, target)) }).toEqual({ link, found: true })
    if (anchor !== undefined) expect(headingsOf(read(target)), link).toContain(anchor)
  }
})

/** A path in a text or a command, possibly a folder, with `<name>` for a variable part. */
const path =
  /(?<![\w./-])(?:accounts|api|bench|catalogue|docs|functions|infra|local|operations|reference|shared|stages|test|\.ci|\.github)\/[\w./<>-]*[\w>/](?![$\w])/g
/** Files made by commands. */
const made = ['stages/demo.env']

test.each(documents.filter(file => file !== 'CHANGELOG.md'))('%s names files that exist', file => {
  const named = [...new Set(read(file).match(path))].filter(name => !made.includes(name))
  expect(named.filter(name => globSync(name.replaceAll(/<\w+>/g, '*'), { cwd: root }).length === 0)).toEqual([])
})

test.each(documents.filter(file => file !== 'CHANGELOG.md'))('%s names commands that exist', file => {
  for (const [, script] of read(file).matchAll(/npm run (?:-s )?([\w:]+)/g)) expect(scripts).toContain(script)
})

const listed = await listCommands()
test.each(documents.filter(file => file !== 'CHANGELOG.md'))(
  '%s names the operands of commands as their help does',
  file => {
    const text = read(file).replaceAll(/\s+/g, ' ').replaceAll('\\|', '|')
    for (const { program, name, operands } of listed)
      for (const [call, placeholder] of text.matchAll(new RegExp(`${program} -- ${name}(?: off)? (<[^>]*>)`, 'g')))
        expect({ call, operands: operands.join(' ') }).toEqual({
          call,
          operands: expect.stringContaining(placeholder ?? ''),
        })
  },
)

test('who moves out reads our hashes by programs that each read the same hash', async () => {
  const [reader = { text: '' }, ...more] = readers.filter(({ language }) => language === 'js')
  expect({ more, others: readers.length > 4 }).toEqual({ more: [], others: true })
  for (const each of readers) expect(each.text).toContain(passlibVector)
  for (const [program, prints] of await trialsOf(reader)) {
    const args = ['--input-type=module', '-e', program]
    expect({ program, prints: execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).trim() }).toEqual({
      program,
      prints,
    })
  }
})

test('the map of test/support has a line for each of its folders', () => {
  const folders = globSync('test/support/*/', { cwd: root }).filter(name => !name.endsWith('.ts'))
  expect(folders.length).toBeGreaterThan(3)
  for (const folder of folders) expect(read('CONTRIBUTING.md')).toContain(`\`${folder}/`)
})

describe('commands that deploy', () => {
  const files = [...documents, '.ci/run', ...globSync('.github/workflows/*.yml', { cwd: root })]

  test.each(files)('in %s read no stage into a shell', file => {
    expect(read(file)).not.toMatch(/set -a|(?:^|[;\s])(?:\.|source) [^\n]*stages\//m)
  })

  test.each(files.filter(file => file.endsWith('.md')))('in %s name their stage', file => {
    const commands = [...read(file).matchAll(/(\w+=\w+)? ?npx cdk (?:diff|deploy|destroy|import|synth)\b/g)]
    for (const [command, before] of commands) expect({ command, before }).toEqual({ command, before: 'STAGE=prod' })
  })
})

test.each(documents)('%s writes the place of the image at most once', file => {
  expect([...read(file).matchAll(/=<registry>|=<owner>/g)].length).toBeLessThanOrEqual(2)
  expect(read(file)).not.toMatch(/(?:image: |')<registry>/)
})

describe('what there is, and what there is not', () => {
  test('each of what there is leads to where it is told', () => {
    for (const each of present) expect(each).toMatch(/\]\(docs\//)
  })

  /** Whatever has a name of its own: settings, paths, attributes, and members of discovery. */
  const config = { browserUrl: null, hasClients: true, issuer: 'https://a', languages: [], sessionDays: 30 }
  const names = [
    ...Object.keys({ ...settingsTable, ...localSettingsTable, ...discoveryResponse({ config }) }),
    ...Object.values<Route>(routes).flatMap(({ on }) => on),
    ...guardedBy(guards),
  ]

  test.each(absent)('nothing that is called so is there: $what', ({ sign }) => {
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter(name => sign.test(name))).toEqual([])
  })
})

describe('the table of clients', () => {
  const json = (file: string) => JSON.parse(read(file)) as Record<string, Record<string, string>>
  const installed: Record<string, string | undefined> = {
    ...json('package.json').devDependencies,
    ...json('test/integrate/package.json').devDependencies,
    ...json('docs/examples/clients/package.json').dependencies,
    ...Object.fromEntries(pythonClients.map(line => line.split('=='))),
    'go-oidc': versions.goOidc.slice(1),
    'Spring Boot': versions.springBoot,
  }

  test.each(clients.filter(({ known }) => known === 'test'))('has the version that its test runs: $name', row => {
    expect(row.version).toBe(installed[row.name.replace(/ \(.*/, '')])
  })

  test.each(clients.filter(({ known }) => known !== 'test'))(
    'says since when it is known: $name',
    ({ known, version }) => {
      const day = expect.stringMatching(/^2\d{3}-\d\d-\d\d$/)
      if (typeof known === 'object' && 'test' in known) expect(existsSync(join(root, known.test))).toBe(true)
      else if (typeof known === 'object' && 'ran' in known)
        expect([known, version]).toEqual([{ ran: day }, expect.stringMatching(/^\d/)])
      else expect(known).toEqual({ on: day, at: expect.stringMatching(/^https:/) })
    },
  )

  test('each program beside the guide is one of its rows', () => {
    const programs = globSync('docs/examples/clients/*.{js,py}', { cwd: root }).map(file => basename(file))
    const examples = clients.flatMap(({ lines }) => ('example' in lines ? [lines.example] : []))
    expect(programs.sort()).toEqual(examples.sort())
  })
})
