import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  SESClient,
  SendEmailCommand,
  type SendEmailCommandInput,
  VerifyEmailIdentityCommand,
} from '@aws-sdk/client-ses'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Observed, observe, smallStack } from '../support/system/small-stack.ts'

let system: Observed
let ses: SESClient
beforeAll(async () => {
  const may = [{ Action: 'ses:*', Resource: '*' }]
  system = await observe(smallStack({ mailer: { source: 'exports.handler = async () => null', may } }))
  const credentials = system.credential('mailer')
  ses = new SESClient({ region: 'us-east-1', endpoint: system.awsUrl, credentials, maxAttempts: 1 })
})
afterAll(() => system.stop())

const mail = {
  Source: 'Gatehouse <no-reply@example.com>',
  Destination: { ToAddresses: ['ada@example.com'] },
  Message: { Subject: { Data: 'Hellö' }, Body: { Text: { Data: 'text & more' }, Html: { Data: '<p>html</p>' } } },
} satisfies SendEmailCommandInput
const send = (differing: Partial<SendEmailCommandInput> = {}) =>
  ses.send(new SendEmailCommand({ ...mail, ...differing }))
const store = async () => (await (await fetch(`${system.inboxUrl}/store`)).json()) as { emails: { subject: string }[] }

test('a mail is read in the inbox as it was sent, with all its recipients', async () => {
  const { MessageId } = await send({
    Destination: { ToAddresses: ['ada@example.com', 'bob@example.com'], CcAddresses: ['c@example.com'] },
    ReplyToAddresses: ['help@example.com'],
  })
  expect((await store()).emails.at(-1)).toEqual({
    messageId: MessageId,
    from: 'Gatehouse <no-reply@example.com>',
    destination: { to: ['ada@example.com', 'bob@example.com'], cc: ['c@example.com'], bcc: [] },
    replyTo: ['help@example.com'],
    subject: 'Hellö',
    body: { text: 'text & more', html: '<p>html</p>' },
    at: expect.any(Number),
  })
})

test.each<[string, Partial<SendEmailCommandInput>, string]>([
  ['no sender', { Source: '' }, 'InvalidParameterValue'],
  ['no recipient', { Destination: {} }, 'InvalidParameterValue'],
  ['a sender without a domain', { Source: 'no-reply' }, 'InvalidParameterValue'],
  ['a recipient without a domain', { Destination: { ToAddresses: ['ada'] } }, 'InvalidParameterValue'],
  ['a recipient outside ASCII', { Destination: { ToAddresses: ['ädа@example.com'] } }, 'InvalidParameterValue'],
  [
    'more recipients than 50',
    { Destination: { ToAddresses: Array.from({ length: 51 }, (_, i) => `a${i}@example.com`) } },
    'InvalidParameterValue',
  ],
  ['no body', { Message: { ...mail.Message, Body: {} } }, 'ValidationError'],
])('a mail with %s is refused', async (_, differing, name) => {
  const before = (await store()).emails.length
  await expect(send(differing)).rejects.toMatchObject({ name })
  expect((await store()).emails.length).toBe(before)
})

test('other operations of SES are refused, and do not hang', async () => {
  const call = ses.send(new VerifyEmailIdentityCommand({ EmailAddress: 'a@example.com' }))
  await expect(call).rejects.toMatchObject({ name: 'InvalidAction', $metadata: { httpStatusCode: 400 } })
})

test('a message has its fields and both of its parts', async () => {
  const { MessageId } = await send({
    Destination: { ToAddresses: ['ada@example.com', 'bob@example.com'], BccAddresses: ['c@example.com'] },
    Message: { ...mail.Message, Body: { Text: { Data: `a = ö \n${'x'.repeat(80)}` }, Html: { Data: '<p>html</p>' } } },
  })
  const answer = await fetch(`${system.inboxUrl}/store/${MessageId}`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const source = (await answer.text()).replace(/^Date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} \+0000\r$/m, 'Date: then\r')
  expect(source.split('\r\n')).toEqual([
    'From: Gatehouse <no-reply@example.com>',
    'To: ada@example.com,',
    ' bob@example.com',
    'Subject: =?UTF-8?B?SGVsbMO2?=',
    'Date: then',
    `Message-ID: <${MessageId}@email.amazonses.com>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="=_gatehouse"',
    '',
    '--=_gatehouse',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'a =3D =C3=B6=20',
    `${'x'.repeat(75)}=`,
    'xxxxx',
    '--=_gatehouse',
    'Content-Type: text/html; charset=UTF-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<p>html</p>',
    '--=_gatehouse--',
    '',
  ])
})

test('an unchanged list is not sent again, and a cleared one is another', async () => {
  const listed = (etag: string) => fetch(`${system.inboxUrl}/store`, { headers: { 'if-none-match': etag } })
  await send()
  const { headers } = await listed('')
  const etag = String(headers.get('etag'))
  expect((await listed(etag)).status).toBe(304)
  expect((await fetch(`${system.inboxUrl}/store`, { method: 'DELETE' })).status).toBe(204)
  expect((await store()).emails).toEqual([])
  await send()
  expect((await listed(etag)).status).toBe(200)
})

test('?to= is about the mails to one whole address, in its canonical form', async () => {
  await fetch(`${system.inboxUrl}/store`, { method: 'DELETE' })
  const addresses = [
    'ada@example.com',
    'ada@example.com.au',
    'xada@example.com',
    'ada+1@example.com',
    'bob@example.com',
  ]
  for (const address of addresses) await send({ Destination: { ToAddresses: [address] } })
  await send({ Destination: { ToAddresses: ['bob@example.com'], BccAddresses: ['ada@example.com'] } })
  const at = (to: string) => `${system.inboxUrl}/store?to=${encodeURIComponent(to)}`
  const recipients = async (to: string) => {
    const { emails } = (await (await fetch(at(to))).json()) as { emails: { destination: { to: string[] } }[] }
    return emails.map(({ destination }) => destination.to[0])
  }
  expect(await recipients(' Ada@EXAMPLE.com ')).toEqual(['ada@example.com', 'bob@example.com'])
  expect(await recipients('ada+1@example.com')).toEqual(['ada+1@example.com'])
  const tagOf = async (to: string) => (await fetch(at(to))).headers.get('etag')
  const [ada, bob] = [await tagOf('ada@example.com'), await tagOf('bob@example.com')]
  expect((await fetch(at('xada@example.com'), { method: 'DELETE' })).status).toBe(204)
  expect([await tagOf('ada@example.com'), await tagOf('bob@example.com')]).toEqual([ada, bob])
  expect((await fetch(at('ada@example.com'), { headers: { 'if-none-match': String(ada) } })).status).toBe(304)
  expect((await fetch(at('ada@example.com'), { method: 'DELETE' })).status).toBe(204)
  expect([(await tagOf('ada@example.com')) === ada, (await tagOf('bob@example.com')) === bob]).toEqual([false, false])
  expect((await store()).emails.length).toBe(3)
})

test('the last thousand mails are kept, the newest last', async () => {
  await send()
  const [any] = system.inbox.list()
  for (let i = 0; any && i <= 1000; i++) system.inbox.add({ ...any, subject: String(i) })
  const { emails } = await store()
  expect([emails.length, emails.at(0)?.subject, emails.at(-1)?.subject]).toEqual([1000, '1', '1000'])
})

describe('the inbox', () => {
  const get = async (path: string, host: string, method = 'GET') => {
    const { port } = new URL(system.inboxUrl)
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { host } }).end()
    const [response] = await once(sent, 'response')
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }

  test.each(['localhost', 'localhost:3001', '127.0.0.1:1', '[::1]:3001', 'LOCALHOST'])('answers %s', async host => {
    expect((await get('/', host)).status).toBe(200)
  })

  test.each(['example.com', 'localhost.example.com', '127.0.0.1.example.com:3001'])(
    'does not answer who reaches it by the name %j',
    async host => {
      const { status, body } = await get('/store', host)
      expect(status).toBe(421)
      expect(body).not.toMatch('emails')
    },
  )

  test('lets no other origin read it', async () => {
    const { headers } = await get('/store', 'localhost')
    expect(Object.keys(headers).join()).not.toMatch('access-control')
  })

  const statuses = {
    'POST /store': 405,
    'DELETE /': 405,
    'GET /other': 404,
    'GET /store/unknown': 404,
    'GET /store/%ff': 404,
    'OPTIONS /store': 405,
    'HEAD /store': 200,
  }
  test.each(Object.entries(statuses))('%s is %i', async (line, status) => {
    const [method = '', path = ''] = line.split(' ')
    expect((await get(path, 'localhost', method)).status).toBe(status)
  })
})
