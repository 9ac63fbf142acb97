import type { Configured } from '../../shared/base/config.ts'
import { DomainError } from '../../shared/base/errors.ts'
import type { System } from '../../shared/base/system.ts'
import type { AccountReads, Prove } from '../account/account.ts'
import { type Account, isAsRead, maxAttempts } from '../account/account.ts'
import { changeOf, mayUndoSetUp } from '../change/changes.ts'
import { announce } from '../mail/announcements.ts'
import type { MailQueue } from '../mail/queue.ts'
import { readRegistration, verifyRegistration } from './attestation.ts'
import { type Challenges, drawChallenge, requireChallenge, spendChallenge } from './challenge.ts'
import { type DrawingDeps, requireRpId } from './options.ts'
import { descriptorsView, maxPasskeys, type Passkey, passkeysInForce } from './passkey.ts'
import { offeredAlgorithms } from './public-key.ts'
import { type ConfirmPasskeyRequest, gestureTime, type PasskeyCreationOptions } from './shapes.ts'
import type { PasskeyWrites } from './writes.ts'
import { logWrongPasskey, WrongPasskey } from './wrong-passkey.ts'

/** As recommended (WebAuthn Level 3 §14.6.1). It reveals nothing about the account, so authenticators may show it to anybody. */
const handleBytes = 64

/** A browser's options for making a passkey (WebAuthn Level 3 §5.4). */
interface CreationOptions {
  challenge: string
  rpId: string
  handle: string
  account: Account
  /** Existing passkeys, which an authenticator would otherwise replace silently. */
  excluded: readonly Passkey[]
}

/**
 * Lets the owner of an account make a passkey. The address must be verified: anybody can register any address.
 *
 * @throws {DomainError} `passkeys-off`, those of `prove`, `too-many-passkeys`, `unavailable`, and `invalid-access-token` when
 *   the account is gone or its token version changed meanwhile
 */
export async function setUpPasskey(
  deps: DrawingDeps & { passkeys: Pick<PasskeyWrites, 'storeHandle'> },
  prove: Prove,
  account: Account,
): Promise<CreationOptions> {
  const rpId = requireRpId(deps)
  const { spend } = await prove(true)
  requireRoom(deps, account)
  await spend()
  const known = account.passkeyHandle !== null && account.passkeyRpId === rpId ? account : null
  const handle = account.passkeyHandle ?? Buffer.from(deps.randomBytes(handleBytes)).toString('base64url')
  const present = known ?? (await deps.passkeys.storeHandle(account, handle, rpId, deps.now()))
  if (present === null || present.passkeyHandle === null) throw new DomainError('invalid-access-token')
  const challenge = await drawChallenge(deps, 'passkeys/confirm', account.id)
  const excluded = passkeysInForce(present, deps.config)
  return { challenge, rpId, handle: present.passkeyHandle, account: present, excluded }
}

/** @throws {DomainError} `too-many-passkeys` */
function requireRoom(deps: Configured<'passkeyRpId'>, account: Account): void {
  if (passkeysInForce(account, deps.config).length >= maxPasskeys) throw new DomainError('too-many-passkeys')
}

/**
 * Adds the new passkey. An existing passkey stays as it is.
 *
 * @throws {DomainError} `passkeys-off`, `invalid-passkey-challenge`, `wrong-passkey`, `email-not-verified`, `too-many-passkeys`,
 *   `unavailable`, and `invalid-access-token` when the account is gone or its token version changed meanwhile
 */
export async function confirmPasskey(
  deps: Pick<System, 'now' | 'randomBytes' | 'log'> &
    Configured<'mailFrom' | 'passkeyOrigins' | 'passkeyRpId' | 'secondFactor'> & {
      accounts: AccountReads
      passkeys: Pick<PasskeyWrites, 'add'>
      challenges: Pick<Challenges, 'find' | 'spend'>
      queueMail: MailQueue
    },
  account: Account,
  { credential, label }: ConfirmPasskeyRequest,
): Promise<Passkey> {
  const rpId = requireRpId(deps)
  const { challenge, registered } = await verifyCredential(deps, rpId, account, credential)
  if (!account.isVerified) throw new DomainError('email-not-verified')
  const same = (holder: Account) =>
    passkeysInForce(holder, deps.config).find(({ id }) => id === registered.credentialId)
  const known = same(account)
  if (known === undefined) requireRoom(deps, account)
  const mark = known === undefined ? await announce(deps, 'passkey-added', account) : ''
  await spendChallenge(deps, challenge)
  if (known !== undefined) return known

  const { credentialId: id, ...key } = registered
  for (let present = account, attempt = 0; attempt < maxAttempts; attempt++) {
    const now = deps.now()
    const change = changeOf(present, { kind: 'passkey', hash: mark, hasLink: mayUndoSetUp(deps, present) }, now)
    // The change's own time: its link undoes what came at it or after it.
    const passkey: Passkey = { id, ...key, label, createdAt: change.at, lastUsedAt: null }
    if (await deps.passkeys.add(present, passkey, change, now)) {
      deps.log({ event: 'passkey-added', account_id: account.id })
      return passkey
    }
    // Another passkey may have been added meanwhile.
    const fresh = await deps.accounts.find(account.id)
    if (!isAsRead(fresh, account)) throw new DomainError('invalid-access-token')
    const added = same(fresh)
    if (added !== undefined) return added
    requireRoom(deps, fresh)
    present = fresh
  }
  throw new DomainError('unavailable')
}

type ConfirmDeps = Parameters<typeof confirmPasskey>[0]

/** Reads and checks a new credential. Its attestation is `none` and proves nothing; the proof before it does. */
async function verifyCredential(
  deps: Pick<ConfirmDeps, 'now' | 'log' | 'challenges' | 'config'>,
  rpId: string,
  account: Account,
  credential: ConfirmPasskeyRequest['credential'],
) {
  try {
    const read = readRegistration(credential)
    await requireChallenge(deps, read.challenge, 'passkeys/confirm', account.id)
    const registered = verifyRegistration(read, { rpId, origins: deps.config.passkeyOrigins })
    return { challenge: read.challenge, registered }
  } catch (error) {
    if (error instanceof WrongPasskey) logWrongPasskey(deps, error, account.id)
    throw error
  }
}

export const creationOptionsView = (
  { config }: Configured<'productName'>,
  { challenge, rpId, handle, account, excluded }: CreationOptions,
): PasskeyCreationOptions => ({
  rp: { id: rpId, name: config.productName },
  user: { id: handle, name: account.email, displayName: account.name || account.email },
  challenge,
  pubKeyCredParams: offeredAlgorithms.map(alg => ({ type: 'public-key', alg })),
  timeout: gestureTime,
  excludeCredentials: descriptorsView(excluded),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
})
