import { beforeEach, expect, test } from 'vitest'
import { undoChange } from '../../../accounts/address/undo.ts'
import { verifyEmail } from '../../../accounts/address/verification.ts'
import { deliverMail } from '../../../accounts/delivery/deliver-mail.ts'
import { createHarness } from '../../support/service/harness.ts'
import { addPasskey, allowPasskeys } from '../../support/service/passkeys.ts'
import { ada, find, newClient, register, undoTokenOf } from '../../support/service/people.ts'

/** The undo link of a new passkey where a second factor is required, so that a mailbox alone must not remove the others. */

const harness = createHarness()
const { deps } = harness

beforeEach(async () => {
  allowPasskeys(harness)
  await verifyEmail(deps, newClient(), (await register(harness)).token ?? '')
})

/** Adds a passkey while time passes, and mails its notice. */
async function add(label: string) {
  harness.advance(60_000)
  const now = () => {
    harness.advance(1)
    return deps.now()
  }
  await addPasskey({ ...harness, deps: { ...deps, now } }, { label })
  const message = harness.queue.findLast(({ message }) => message.kind === 'passkey-added')?.message
  if (!message) throw new Error('nobody was told')
  await deliverMail(deps, message, deps.now())
  return message
}

test('removes that passkey and later ones, and no older one', async () => {
  await add('Phone')
  const notice = await add('Thief')
  await add('Tablet')
  harness.config.secondFactor = 'required'
  await undoChange(deps, undoTokenOf(notice))
  expect((await find(harness, ada.email)).passkeys.map(({ label }) => label)).toEqual(['Phone'])
})
