import { beforeEach, describe, expect, test } from 'vitest'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { logInByPasskey } from '../../../accounts/login/by-passkey.ts'
import { issueLoginTokens } from '../../../accounts/session/opening.ts'
import { authenticator } from '../../support/service/authenticator.ts'
import { createHarness } from '../../support/service/harness.ts'
import { addPasskey, allowPasskeys, assertionOf } from '../../support/service/passkeys.ts'
import { ada, find, newClient, register } from '../../support/service/people.ts'
import { refusalOf } from '../../support/service/refusal.ts'

/** A counting passkey whose writes are retried, or conflict with a copy's. */

const harness = createHarness()
const { deps } = harness
const device = authenticator({ isSynced: false })

beforeEach(async () => {
  allowPasskeys(harness)
  await verifyEmail(deps, newClient(), (await register(harness)).token ?? '')
  await addPasskey(harness, {}, device)
})

const logIn = async (assertion: Awaited<ReturnType<typeof assertionOf>>) =>
  issueLoginTokens(deps, await logInByPasskey(deps, { assertion }), undefined)
const copied = () => harness.events.filter(({ event }) => event === 'passkey-copied').length
const countOf = async () => (await find(harness, ada.email)).passkeys[0]?.signCount

describe('a login whose writes are sent twice, since their answers were lost,', () => {
  test('is one, and no copy', async () => {
    harness.retriesWrites = true
    const before = (await countOf()) ?? 0
    await logIn(await assertionOf(harness, device))
    await logIn(await assertionOf(harness, device))
    expect([await countOf(), copied()]).toEqual([before + 2, 0])
  })
})

test('of two uses at once that have one count the second is a copy’s', async () => {
  const lies = { signCount: 7 }
  const [first, second] = [
    await assertionOf(harness, device, 'login', lies),
    await assertionOf(harness, device, 'login', lies),
  ]
  const proven = await logInByPasskey(deps, { assertion: second })
  await logIn(first)
  const refusal = await refusalOf(issueLoginTokens(deps, proven, undefined))
  expect([refusal.code, refusal.options.status, copied()]).toEqual(['wrong-passkey', 401, 1])
})
