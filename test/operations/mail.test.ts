import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createApp } from '../../infra/synthesize.ts'
import type { Template } from '../../local/template/template.ts'
import { settingsToRun } from '../support/stack/settings.ts'
import { operate } from '../support/system/operate.ts'
import { linkIn, runSystem } from '../support/system/running.ts'

/** Dead letters on the running system. Its queue gives up after two attempts of a second each, instead of ten of minutes. */

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-mail-'))
const settings = settingsToRun({ MAIL_FROM: 'Gatehouse <no-reply@localhost>', RATE_LIMITS: 'off' })
createApp({ settings, validate: false, outdir: join(directory, 'cdk.out') }).app.synth()
const template: Template = JSON.parse(readFileSync(join(directory, 'cdk.out', 'Gatehouse.template.json'), 'utf8'))
const { Properties: queue = {} } = template.Resources.MailQueue ?? {}
Object.assign(queue, { VisibilityTimeout: 1 })
Object.assign(queue.RedrivePolicy as object, { maxReceiveCount: 2 })

const assembly = { template, directory: join(directory, 'cdk.out') }
const dataDirectory = join(directory, 'data')
/** Recipients whose mails were suppressed. */
const suppressed: string[] = []
const observer = { suppressed: (address: string) => void suppressed.push(address) }
const running = runSystem({}, { settings, assembly, dataDirectory, observer })
const { send, nextMail } = running

const redrive = () => operate('mail', ['redrive', '--local'], { env: { DATA_DIR: dataDirectory } })
const deadLetters = () => running.system.messages('DeadLetters')

/** Registers people, and waits until all their mails are dead letters. */
async function register(...emails: string[]): Promise<void> {
  const restore = running.system.disturb('ses', { kind: 'failure' })
  const before = deadLetters().length
  for (const email of emails) await send('POST', '/auth/register', { email, password: 'correct horse' })
  await vi.waitFor(() => expect(deadLetters()).toHaveLength(before + emails.length), { timeout: 30_000, interval: 100 })
  restore()
}

const verify = async (email: string) =>
  (await send('POST', '/auth/verify-email', { token: linkIn(await nextMail(email)).searchParams.get('token') })).status

test('redrive puts dead letters back; the worker mails them, and their links work', async () => {
  const people = Array.from({ length: 12 }, (_, i) => `ada${i}@example.com`)
  await register(...people)
  expect(await redrive()).toEqual({ status: 0, stdout: '12 moved\n', stderr: '' })
  expect(deadLetters()).toEqual([])
  for (const email of people) expect(await verify(email)).toBe(200)
})

test('redrive moves nothing when there are no dead letters', async () => {
  expect(await redrive()).toEqual({ status: 0, stdout: '0 moved\n', stderr: '' })
})

test('redrive loses no message when AWS fails in between, and says what remains', async () => {
  await register('bob@example.com')
  const restoreSend = running.system.disturb('sqs', { kind: 'failure' }, { caller: 'operator', action: 'SendMessage' })
  const refused = await redrive()
  expect([refused.status, refused.stdout]).toEqual([1, '0 moved\n'])
  expect(refused.stderr).toContain('InternalFailure')
  restoreSend()
  expect(deadLetters()).toHaveLength(1)

  // The failed run still hides it for a minute.
  expect(await redrive()).toMatchObject({
    status: 0,
    stdout: '0 moved\nanother reader holds about 1 more; run the command again in a minute\n',
  })

  await register('carol@example.com')
  const restoreDelete = running.system.disturb(
    'sqs',
    { kind: 'failure' },
    { caller: 'operator', action: 'DeleteMessage' },
  )
  expect(await redrive()).toMatchObject({ status: 1, stdout: '0 moved\n' })
  restoreDelete()
  expect(deadLetters()).toHaveLength(2)
  expect(await verify('carol@example.com')).toBe(200)
})

describe('an address that SES suppresses', () => {
  const mail = (...args: string[]) => operate('mail', [...args, '--local'], { env: { DATA_DIR: dataDirectory } })
  // In the local system this address complains about its first mail, and is then suppressed.
  const email = 'complaint+ada@simulator.amazonses.com'
  const forgot = () => send('POST', '/auth/forgot-password', { email })

  test('is shown with the reason; taken off the list it gets mail again', async () => {
    expect(await mail('suppressed', email)).toEqual({
      status: 0,
      stdout: `SES does not suppress ${email}\n`,
      stderr: '',
    })
    await send('POST', '/auth/register', { email, password: 'correct horse' })
    await nextMail(email)
    expect(await mail('suppressed', ' Complaint+Ada@Simulator.AmazonSES.com')).toEqual({
      status: 0,
      stdout: expect.stringMatching(
        /^SES has suppressed complaint\+ada@simulator\.amazonses\.com since 20\S+Z, because the recipient reported a mail as spam \(COMPLAINT\)\.\n.+unsuppress complaint\+ada@simulator\.amazonses\.com --local\n$/,
      ),
      stderr: '',
    })
    expect(JSON.parse((await mail('suppressed', email, '--json')).stdout)).toEqual({
      email,
      suppressed: true,
      reason: 'COMPLAINT',
      since: expect.stringMatching(/^20\S+Z$/),
    })
    await forgot()
    await expect.poll(() => suppressed, { timeout: 20_000 }).toEqual([email])

    const [off, again] = [await mail('unsuppress', email), await mail('unsuppress', email)]
    expect(off).toMatchObject({ status: 0, stdout: expect.stringContaining('is off the suppression list') })
    expect(again).toEqual({ status: 0, stdout: `SES does not suppress ${email}\n`, stderr: '' })
    const json = await mail('suppressed', email, '--json')
    expect(JSON.parse(json.stdout)).toEqual({ email, suppressed: false, reason: null, since: null })
    await forgot()
    expect(linkIn(await nextMail(email)).pathname).toBe('/reset-password')
  })

  test.each([
    ['no address', ['suppressed'], 2, 'suppressed takes <email>'],
    ['a bad address', ['unsuppress', 'nobody'], 2, "'nobody' is not an email address"],
  ])('is named by the operand: %s is refused', async (_, args, status, reason) => {
    expect(await mail(...args)).toMatchObject({ status, stderr: expect.stringContaining(reason) })
  })

  test.each(['suppressed', 'unsuppress'])('%s fails when SES fails', async command => {
    const restore = running.system.disturb('sesv2', { kind: 'failure' })
    expect(await mail(command, email)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('InternalServiceErrorException'),
    })
    restore()
  })
})

test('commands make exactly the calls that the policy for operators allows for mails', () => {
  const calls = running.system.calls.filter(({ caller }) => caller === 'operator')
  const made = calls.map(({ action, resource }) => `${action} on ${resource.split('-').at(-1)}`)
  expect([...new Set(made)].sort()).toEqual([
    'ses:DeleteSuppressedDestination on *',
    'ses:GetSuppressedDestination on *',
    'sqs:DeleteMessage on DeadLetters',
    'sqs:GetQueueAttributes on DeadLetters',
    'sqs:ReceiveMessage on DeadLetters',
    'sqs:SendMessage on MailQueue',
  ])
})
