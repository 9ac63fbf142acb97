import { existsSync, mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Credential } from '../../local/aws/credentials.ts'
import type { OperatorFile } from '../../local/operator.ts'
import { type Outcome, operate } from '../support/system/operate.ts'
import { runSystem } from '../support/system/running.ts'

/** Commands find the local stack by its data directory, and a stack on AWS by its outputs. */

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-stack-'))
const dataDirectory = join(directory, 'data')
const operatorFile = join(dataDirectory, 'operator.json')
const running = runSystem({}, { dataDirectory })
const outputs = join(directory, 'outputs.json')
let operator: OperatorFile

beforeAll(async () => {
  operator = JSON.parse(readFileSync(operatorFile, 'utf8'))
  writeFileSync(outputs, JSON.stringify(operator.outputs))
  await running.send('POST', '/auth/register', { email: 'ada@example.com', password: 'correct horse' })
})

/** The variables of an operator on AWS: credentials, a region and an endpoint. */
const environment = (credential: Partial<Credential>): Record<string, string> => ({
  AWS_ENDPOINT_URL: operator.endpoint,
  AWS_REGION: operator.region,
  AWS_EC2_METADATA_DISABLED: 'true',
  HOME: directory,
  ...(credential.accessKeyId && {
    AWS_ACCESS_KEY_ID: credential.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credential.secretAccessKey ?? 'unknown',
    AWS_SESSION_TOKEN: credential.sessionToken ?? '',
  }),
})

/** Shows the only account, as on AWS. */
const onAws = (args: readonly string[], credential: Partial<Credential> = operator.credentials): Promise<Outcome> =>
  operate('users', ['show', 'ada@example.com', ...args], { env: environment(credential) })
const found = { status: 0, stdout: expect.stringContaining('ada@example.com'), stderr: '' }

describe('a stack on AWS', () => {
  test('is found by the file that cdk deploy --outputs-file writes', async () => {
    expect(await onAws(['--outputs', outputs])).toMatchObject(found)
  })

  test('is chosen by name from a file with several', async () => {
    const two = join(directory, 'two.json')
    writeFileSync(two, JSON.stringify({ Other: { BaseUrl: 'https://example.com' }, ...operator.outputs }))
    expect(await onAws(['--outputs', two])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('by --stack: Other, Gatehouse'),
    })
    expect(await onAws(['--outputs', two, '--stack', 'Gatehouse'])).toMatchObject(found)
    expect(await onAws(['--outputs', two, '--stack', 'Other'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'lacks outputs of Other: AccountsTable, RateLimitsTable, MailQueue, DeadLetters, SigningKeys',
      ),
    })
  })

  test.each([
    ['without credentials', {}, 'There are no AWS credentials'],
    ['with credentials that AWS does not know', { accessKeyId: 'ASIAGONE' }, 'AWS does not know these credentials'],
  ])('%s cannot be reached, and the command says what to do', async (_, credential, advice) => {
    expect(await onAws(['--outputs', outputs], credential)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(advice),
    })
  })

  test('needs no particular policy, only the permissions of the command', async () => {
    expect(await onAws(['--outputs', outputs], running.system.credential('login'))).toMatchObject(found)
  })

  test.each([
    ['users', 'show ada@example.com', 'OperatorUsersPolicy'],
    ['mail', 'redrive', 'OperatorMailPolicy'],
    ['mail', 'suppressed ada@example.com', 'OperatorMailPolicy'],
    ['keys', 'list', 'OperatorKeysPolicy'],
  ])('is closed to %s without its policy, which the command names', async (program, words, policy) => {
    const command = [...words.split(' '), '--outputs', outputs]
    const refused = await operate(program, command, { env: environment(running.system.credential('forgot-password')) })
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining(policy) })
    expect(Object.keys(operator.outputs.Gatehouse ?? {})).toContain(policy)
    expect(refused.stderr.match(/Operator\w+Policy/g)).toEqual([policy])
  })

  test('is not found in an unreadable DATA_DIR, and the command says what to set', async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'stack-'))
    mkdirSync(join(dataDirectory, 'operator.json'))
    const refused = await operate('users', ['list', '--local'], { env: { DATA_DIR: dataDirectory } })
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/operator\.json: .*; set DATA_DIR to /) })
  })

  test.each([
    ['is not named', [], 'which stack?'],
    ['is named together with the local one', ['--local', '--outputs', 'outputs.json'], 'not both'],
  ])('that %s is not guessed', async (_, args, reason) => {
    expect(await onAws(args)).toMatchObject({ status: 2, stderr: expect.stringContaining(reason) })
  })

  test.each([
    ['show ada@example.com', 'which stack?', 'npm run users -- show ada@example.com <options>'],
    [
      'show ada@example.com outputs.json',
      'one argument too many',
      'npm run users -- show ada@example.com outputs.json <options>',
    ],
  ])('is not found when npm kept the options of %j, which the command says', async (words, problem, hint) => {
    const refused = await operate('users', words.split(' '), { env: { npm_lifecycle_event: 'users' } })
    expect(refused).toMatchObject({ status: 2, stdout: '' })
    expect(refused.stderr).toContain(problem)
    expect(refused.stderr).toContain(hint)
  })

  test.each([
    ['is not there', 'nowhere.json', 'there is no such file'],
    ['is not JSON', 'README.md', 'is not valid JSON'],
    ['is other JSON', 'package.json', 'is not a file that `cdk deploy --outputs-file` writes'],
    ['is empty', join(directory, 'empty.json'), 'empty.json is empty'],
    ['is a directory', 'docs', 'is a directory'],
    ['names no stack', join(directory, 'nothing.json'), 'names no stack'],
  ])('is not found by a file that %s', async (_, file, reason) => {
    writeFileSync(join(directory, 'empty.json'), '')
    writeFileSync(join(directory, 'nothing.json'), '{}')
    const refused = await onAws(['--outputs', file])
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining(reason) })
    expect(refused.stderr.match(/\n/g)).toHaveLength(1)
  })
})

describe('the region of a stack on AWS', () => {
  /** The SDK's error for a missing host, whose name has the region. */
  const hostAsked = async (mailQueue: string, env: Record<string, string>): Promise<string> => {
    const file = join(directory, 'elsewhere.json')
    writeFileSync(file, JSON.stringify({ Gatehouse: { ...operator.outputs.Gatehouse, MailQueue: mailQueue } }))
    const { AWS_ENDPOINT_URL: _, AWS_REGION: __, ...rest } = environment(operator.credentials)
    // Nothing leaves the machine: the host name is not found.
    const { stderr } = await operate('users', ['show', 'ada@example.com', '--outputs', file], {
      env: { ...rest, ...env, AWS_MAX_ATTEMPTS: '1' },
    })
    return stderr
  }
  const queue = 'https://sqs.eu-north-1.amazonaws.com/000000000000/Mail'

  test.each([
    ['is the one in its outputs', queue, { AWS_REGION: 'us-west-2' }, 'dynamodb.eu-north-1'],
    [
      'is AWS_REGION if they do not have it',
      'mail',
      { AWS_REGION: 'us-west-2', AWS_DEFAULT_REGION: 'x-1' },
      'us-west-2',
    ],
    ['may be AWS_DEFAULT_REGION, as for the AWS CLI', 'mail', { AWS_DEFAULT_REGION: 'us-west-1' }, 'us-west-1'],
    [
      'that is set nowhere is asked for in one line',
      'mail',
      {},
      'users: There is no region. Set AWS_REGION to the region of the stack.\n',
    ],
  ])('%s', async (_, mailQueue, env, expected) => {
    expect(await hostAsked(mailQueue, env as Record<string, string>)).toContain(expected)
  })
})

describe('the local stack', () => {
  const locally = () => operate('users', ['show', 'ada@example.com', '--local'], { env: { data_dir: dataDirectory } })

  test('writes credentials into its data directory for its owner, and removes them in the end', async () => {
    expect(statSync(operatorFile).mode & 0o777).toBe(0o600)
    expect(await locally()).toMatchObject(found)

    const contents = readFileSync(operatorFile)
    await running.system.stop()
    expect(existsSync(operatorFile)).toBe(false)
    expect(await locally()).toMatchObject({ status: 1, stderr: expect.stringContaining('start one with `npm start`') })
    writeFileSync(operatorFile, contents)
    expect(await locally()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Nothing answers at that address'),
    })
  })
})

test.each(['users', 'mail', 'keys'])('%s has help for itself and for each command', async program => {
  const overview = await operate(program, ['--help'], { isAlone: true })
  expect(overview).toMatchObject({ status: 0, stderr: '' })
  const commands = [...overview.stdout.matchAll(/^ {2}([a-z-]+)(?: \S+)* {2,}.+\.$/gm)]
  expect(commands).not.toEqual([])
  for (const [, command = ''] of commands) {
    expect(await operate(program, [command, '--help'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(`npm run ${program} -- ${command} `),
    })
  }
  expect(await operate(program, [])).toMatchObject({ status: 2, stdout: overview.stdout })
  expect(await operate(program, ['toString'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('no command'),
  })
})
