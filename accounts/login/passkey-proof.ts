import type { Configured } from '../../shared/base/config.ts'
import { DomainError, refusedAtLogin } from '../../shared/base/errors.ts'
import { day } from '../../shared/base/limits/windows.ts'
import type { System } from '../../shared/base/system.ts'
import type { AccountReads } from '../account/account.ts'
import { type Account, isAsRead } from '../account/account.ts'
import { type ReadAssertion, readAssertion, verifyAssertion } from '../passkey/assertion.ts'
import { type ChallengePurpose, type Challenges, requireChallenge, spendChallenge } from '../passkey/challenge.ts'
import { isHandle, type PasskeyUse, passkeysInForce } from '../passkey/passkey.ts'
import type { Assertion, ProofPurpose } from '../passkey/shapes.ts'
import type { PasskeyWrites } from '../passkey/writes.ts'
import { logWrongPasskey, WrongPasskey } from '../passkey/wrong-passkey.ts'
import { type Claimant, passkeyAmr } from './proven.ts'

export type PasskeyDeps = Pick<System, 'now' | 'randomBytes' | 'log'> &
  Configured<'passkeyOrigins' | 'passkeyRpId'> & {
    accounts: AccountReads
    passkeys: Pick<PasskeyWrites, 'noteUse'>
    challenges: Pick<Challenges, 'find' | 'spend'>
  }

/**
 * Proves by a passkey that the bearer of an access token owns its account.
 *
 * @throws {DomainError} `passkeys-off`, `invalid-passkey-challenge`, `wrong-passkey`, `unavailable`
 */
export const proveByPasskey = (
  deps: PasskeyDeps,
  assertion: Assertion,
  purpose: ProofPurpose,
  account: Account,
): Promise<Claimant> =>
  prove(deps, assertion, purpose, account.id, async ({ userHandle }) => {
    if (userHandle !== null && userHandle !== account.passkeyHandle) throw new WrongPasskey('unknown')
    return account
  })

/**
 * Proves by an assertion who owns the account that it logs in to. An assertion is no guess: signatures cannot be guessed.
 *
 * @throws {DomainError} as `proveByPasskey`
 */
export const provePasskeyHolder = (
  deps: PasskeyDeps & { passkeys: Pick<PasskeyWrites, 'findHolder'> },
  assertion: Assertion,
): Promise<Claimant> =>
  prove(deps, assertion, 'login', null, async ({ userHandle }) => {
    const account = isHandle(userHandle) ? await deps.passkeys.findHolder(userHandle) : null
    if (account === null) throw new WrongPasskey('no-account')
    return account
  })

/**
 * @param accountId that the challenge was drawn for; null at a login
 * @param find the account; throws if there is none, or if its handle is another
 */
async function prove(
  deps: PasskeyDeps,
  assertion: Assertion,
  purpose: ChallengePurpose,
  accountId: string | null,
  find: (read: ReadAssertion) => Promise<Account>,
): Promise<Claimant> {
  const { passkeyRpId: rpId, passkeyOrigins: origins } = deps.config
  if (rpId === null) throw new DomainError('passkeys-off')
  let account: Account | null = null
  try {
    const read = readAssertion(assertion)
    await requireChallenge(deps, read.challenge, purpose, accountId)
    const holder = await find(read)
    account = holder
    const passkey = passkeysInForce(holder, deps.config).find(({ id }) => id === read.credentialId)
    if (passkey === undefined) throw new WrongPasskey('unknown')
    const { signCount, backedUp, isCounted } = verifyAssertion(read, passkey, { rpId, origins })
    const midnight = new Date(Math.floor(deps.now().getTime() / (day * 1000)) * day * 1000)
    const use = { signCount, backedUp, isCounted, lastUsedAt: midnight }
    return {
      account: holder,
      by: 'passkey',
      login: { authTime: deps.now(), amr: passkeyAmr },
      askFactor: null,
      async spend() {
        const mark = await spendChallenge(deps, read.challenge)
        const isDayNoted = passkey.lastUsedAt?.getTime() === midnight.getTime()
        const isNoted = isDayNoted && passkey.signCount === signCount && passkey.backedUp === backedUp
        if (!isNoted) await noteUse(deps, holder, { id: passkey.id, use, mark }, accountId === null)
      },
    }
  } catch (error) {
    throw refuse(deps, error, account, accountId === null)
  }
}

/** Records the use of a passkey. @throws {DomainError} when the account has changed, or a copy of the passkey was used */
async function noteUse(
  deps: PasskeyDeps,
  account: Account,
  { id, use, mark }: { id: string; use: PasskeyUse; mark: string },
  isLogin: boolean,
) {
  if (await deps.passkeys.noteUse(account, id, use, mark, deps.now())) return
  const present = await deps.accounts.find(account.id)
  if (isAsRead(present, account)) throw refuse(deps, new WrongPasskey('count'), account, isLogin)
  // At a login the client asks for another challenge, and everything is checked against the changed account.
  throw new DomainError(isLogin ? 'invalid-passkey-challenge' : 'invalid-access-token')
}

/** Logs a refused passkey. @returns the error to throw */
function refuse(deps: Pick<System, 'log'>, error: unknown, account: Account | null, isLogin: boolean): unknown {
  if (!(error instanceof WrongPasskey)) return error
  logWrongPasskey(deps, error, account?.id ?? null)
  return isLogin ? refusedAtLogin(error) : error
}
