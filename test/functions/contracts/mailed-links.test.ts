import { describe, expect, test } from 'vitest'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { send } from '../../support/service/endpoints.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, lastMessage, register } from '../../support/service/people.ts'

const harness = createHarness()

describe.each([
  ['register', 'verify-email'],
  ['resend-verification', 'verify-email'],
  ['forgot-password', 'reset-password'],
] as const)('on the way to an application, the link of %s', (name, path) => {
  const linkFor = async (client_id: unknown) => {
    await harness.clear()
    if (name !== 'register') await register(harness)
    harness.advance(1000)
    harness.mails.length = 0
    const { status } = await send(harness, name, { body: { ...ada, client_id } })
    expect(status).toBeLessThan(300)
    await deliverMail(harness.deps, lastMessage(harness), harness.deps.now())
    return /https:\/\/\S+/.exec(harness.mails.at(-1)?.text ?? '')?.[0]
  }
  const plain = expect.stringMatching(new RegExp(`/${path}\\?token=[\\w-]{43}$`))

  test('leads back to it', async () => {
    expect(await linkFor('shop')).toMatch(new RegExp(`/${path}\\?token=[\\w-]{43}&client=shop$`))
    harness.config.languages = ['en', 'de']
    expect(await linkFor('shop')).toMatch(/&client=shop$/)
  })

  test('leads to none that is not listed', async () => {
    for (const client_id of ['Shop', '', 'x&token=y', 'constructor']) expect(await linkFor(client_id)).toEqual(plain)
  })

  test('leads to none where there are none: there the member is unknown', async () => {
    harness.config.hasClients = false
    for (const client_id of ['shop', 7, null]) expect(await linkFor(client_id)).toEqual(plain)
  })
})
