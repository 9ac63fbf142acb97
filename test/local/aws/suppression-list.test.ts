import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses'
import {
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  ListSuppressedDestinationsCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { configOf, type Observed, observe, smallStack } from '../../support/system/small-stack.ts'

/** SES's suppression list on one machine, through the SDK. */

let system: Observed
let client: (name: string) => { ses: SESClient; sesv2: SESv2Client }
beforeAll(async () => {
  const source = 'exports.handler = async () => null'
  const may = [{ Action: ['ses:SendEmail', 'ses:*SuppressedDestination'], Resource: '*' }]
  system = await observe(smallStack({ mailer: { source, may }, nobody: { source } }))
  client = name => {
    const shared = configOf(system, name)
    return { ses: new SESClient(shared), sesv2: new SESv2Client(shared) }
  }
})
afterAll(() => system.stop())

const mailTo = (...to: string[]) =>
  client('mailer').ses.send(
    new SendEmailCommand({
      Source: 'no-reply@example.com',
      Destination: { ToAddresses: to },
      Message: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'text' } } },
    }),
  )
const find = (address: string, name = 'mailer') =>
  client(name).sesv2.send(new GetSuppressedDestinationCommand({ EmailAddress: address }))
const remove = (address: string) =>
  client('mailer').sesv2.send(new DeleteSuppressedDestinationCommand({ EmailAddress: address }))
const arrived = (address: string) =>
  system.inbox.list().filter(({ destination }) => destination.to.includes(address)).length

test.each([
  ['bounce', 'BOUNCE', 0],
  ['complaint', 'COMPLAINT', 1],
])("a mail to the simulator's %s puts the address on the list; later ones stop", async (name, reason, seen) => {
  const address = `${name}+a/b@simulator.amazonses.com`
  await expect(find(address)).rejects.toMatchObject({ name: 'NotFoundException' })
  const { MessageId } = await mailTo(address)
  expect(MessageId).toMatch(/./)
  const { SuppressedDestination } = await find(address.toUpperCase())
  expect(SuppressedDestination).toMatchObject({ Reason: reason })
  expect(Math.abs(Date.now() - Number(SuppressedDestination?.LastUpdateTime))).toBeLessThan(60_000)
  await mailTo(address)
  expect(arrived(address)).toBe(seen)

  await remove(address)
  await expect(remove(address)).rejects.toMatchObject({ name: 'NotFoundException' })
})

test('other addresses, of the simulator too, are mailed', async () => {
  for (const address of [
    'success+x@simulator.amazonses.com',
    'bounce@example.com',
    'bouncer@simulator.amazonses.com',
  ]) {
    await mailTo(address)
    expect(arrived(address)).toBe(1)
    await expect(find(address)).rejects.toMatchObject({ name: 'NotFoundException' })
  }
})

test('a mail still reaches its other recipients', async () => {
  await mailTo('bounce+two@simulator.amazonses.com', 'ada@example.com')
  expect(arrived('ada@example.com')).toBe(1)
})

test('the list refuses callers without permission, and callers without credentials', async () => {
  await expect(find('ada@example.com', 'nobody')).rejects.toMatchObject({ name: 'AccessDeniedException' })
  const credentials = { accessKeyId: 'ASIAGONE', secretAccessKey: 'x' }
  const stranger = new SESv2Client({ region: 'us-east-1', endpoint: system.awsUrl, credentials, maxAttempts: 1 })
  const asked = stranger.send(new GetSuppressedDestinationCommand({ EmailAddress: 'ada@example.com' }))
  await expect(asked).rejects.toMatchObject({ name: 'InvalidClientTokenId' })
})

test('an unknown operation is refused', async () => {
  const listed = client('mailer').sesv2.send(new ListSuppressedDestinationsCommand({}))
  await expect(listed).rejects.toMatchObject({ name: 'UnknownOperationException' })
})
