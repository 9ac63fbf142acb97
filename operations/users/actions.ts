import { type AccountItem, invitedAttribute, toAccount } from '../../accounts/account/attributes.ts'
import { passkeysInForce } from '../../accounts/passkey/passkey.ts'
import { CommandError } from '../command-line/failures.ts'
import { toLines } from '../command-line/terminal.ts'
import { actionCommand, noMail, noNotice, otherServices } from './action-command.ts'
import { makesAdmin } from './delete.ts'
import { accountOperand, sessionsOf } from './find-account.ts'
import { readHash } from './hash-record.ts'

/** Only the owner proves the address of an invited account, and chooses its password. */
const isInvited = (account: Pick<AccountItem, 'invited_until'>): string | null =>
  account[invitedAttribute] === undefined ? null : 'is invited: the owner has not accepted yet'

export const verifyCommand = actionCommand({
  summary: "Marks an account's address as verified.",
  details: 'For an owner who cannot get the mail, and has proved in another way that the address is theirs.',
  action: () => ({
    refused: isInvited,
    already: account => (account.is_verified ? 'is already verified' : null),
    write: (table, account, now) => table.verify(account, now),
    done: `is verified. The mailed link no longer works. ${noNotice}`,
  }),
})

export const adminCommand = actionCommand({
  summary: 'Makes an account an administrator, or an ordinary one.',
  operand: `${accountOperand} on|off`,
  details: `Gatehouse only reports is_admin, at /auth/me. Other services decide what an administrator may do. Access tokens do
not contain it. A new administrator's old access tokens are revoked: a deletion that is under way must not take the account.`,
  action(choice) {
    if (choice !== 'on' && choice !== 'off') throw new CommandError(`pass on or off, not '${choice}'`, 2)
    const isOn = choice === 'on'
    const already = isOn ? 'is already an administrator' : 'is not an administrator'
    return {
      ...(isOn && { refused: isInvited }),
      already: account => (account.is_admin === isOn ? already : null),
      write: (table, account, now) => table.setAdmin(account, isOn, now),
      done: isOn
        ? toLines`is now an administrator: /auth/me says so. Its access tokens are revoked: the owner logs in again.
${otherServices} ${noNotice}`
        : `is no longer an administrator: /auth/me says so at once. ${noNotice}`,
      warning({ email, is_verified }, stack) {
        if (isOn && !is_verified) {
          return `the address ${email} is not verified: anyone may have registered it, and know the password`
        }
        return !isOn && makesAdmin({ email }, stack)
          ? `ADMIN_EMAIL is ${email}. The owner can delete the account now, and whoever registers it next is an administrator`
          : null
      },
    }
  },
})

export const lockCommand = actionCommand({
  summary: 'Locks an account: nobody can log in to it.',
  details: `Only someone who enters the right password, or uses a passkey, learns that the account is locked. Its access tokens are
revoked, and no link is mailed to it. A link that was mailed before still verifies the address or sets a password, but does not
unlock the account.`,
  action: () => ({
    already: account => (account.locked_at === undefined ? null : `is already locked, since ${account.locked_at}`),
    write: (table, account, now) => table.lock(account, now),
    done: toLines`is locked: nobody can log in, its access tokens are revoked, and no link is mailed to it.
${otherServices} ${noNotice}`,
  }),
})

export const unlockCommand = actionCommand({
  summary: 'Unlocks an account.',
  action: () => ({
    already: account => (account.locked_at === undefined ? 'is not locked' : null),
    write: (table, account, now) => table.unlock(account, now),
    done: ({ email, password_hash, ...account }, stack) =>
      isInvited(account)
        ? `is unlocked. It waits for its owner still: if the link no longer works, run invite again. ${noNotice}`
        : readHash(password_hash) === null
          ? toLines`is unlocked. It has no password: have the owner ask for a reset. Anyone who can read the mails to
${email} can ask for one too: if that is not the owner, run lock again, and move. ${noNotice}${noMail(stack)}`
          : toLines`is unlocked. Its access tokens stay revoked. Anyone who knows the password can log in. A link that was mailed before
the lock may have set that password: if someone else may have used it, run revoke. ${noNotice}`,
  }),
})

export const signOutCommand = actionCommand({
  summary: "Revokes an account's access tokens, and ends its sessions.",
  details: `An owner does the same by POST /auth/logout-everywhere. Anyone who knows the password, has a passkey or logs in by a
provider can log in again, and mailed links still work: revoke ends these too.`,
  action: () => ({
    write: (table, account, now) => table.signOut(account, now),
    done(account, stack, now) {
      const { length } = sessionsOf(account, stack, now)
      const ended = length === 1 ? 'its one session has ended' : `its ${length} sessions have ended`
      const password = readHash(account.password_hash) === null ? 'It has no password.' : 'Its password still works.'
      const isForPasskeys =
        passkeysInForce(toAccount(account), { passkeyRpId: stack.outputs.PasskeyRpId ?? null }).length > 0
      const passkeys = isForPasskeys ? ' So do its passkeys.' : ''
      const hasProvider = identitiesOf(account) > 0 && stack.outputs.Providers !== undefined
      const identities = hasProvider ? ' So do its logins by providers.' : ''
      return toLines`is signed out: its access tokens are revoked, ${length === 0 ? 'it had no sessions' : ended}, and no client IP address is remembered. ${password}${passkeys}${identities}
${otherServices} ${noNotice}`
    },
  }),
})

export const secondFactorCommand = actionCommand({
  summary: "Removes an account's second factor.",
  operand: `off ${accountOperand}`,
  details: `For an owner who has lost the phone and the recovery codes. Whoever knows the password can log in afterwards: be sure
who asks for it (docs/deploy.md, "Somebody has lost the phone").`,
  action(choice) {
    if (choice !== 'off') throw new CommandError(`pass off, not '${choice}': only the owner can set one up`, 2)
    return {
      already: account => (account.totp_last_step === undefined ? 'has no second factor' : null),
      write: (table, account, now) => table.removeFactor(account, now),
      done(account, { outputs }) {
        const isRequired = outputs.SecondFactor === 'required'
        const next = !isRequired
          ? 'the password alone logs in'
          : passkeysInForce(toAccount(account), { passkeyRpId: outputs.PasskeyRpId ?? null }).length > 0
            ? 'a passkey alone logs in'
            : 'the next login mails a link to set one up'
        return toLines`has no second factor any more: ${next}. Its access tokens are revoked, and its sessions have ended.
${otherServices} ${noNotice}`
      },
    }
  },
})

export const passkeysCommand = actionCommand({
  summary: 'Removes all passkeys of an account.',
  operand: `off ${accountOperand}`,
  details: `For an owner who has lost them, or does not know them all. The password, and a second factor, stay: be sure who asks for it
(docs/deploy.md, "Somebody has lost all passkeys").`,
  action(choice) {
    if (choice !== 'off') throw new CommandError(`pass off, not '${choice}': only the owner can add one`, 2)
    return {
      already: account => (passkeysOf(account) === 0 ? 'has no passkeys' : null),
      write: (table, account, now) => table.removePasskeys(account, now),
      done(account, { outputs }) {
        const isFactorNext = outputs.SecondFactor === 'required' && toAccount(account).factor === null
        const next = isFactorNext ? 'the next login mails a link to set a second factor up' : 'the password logs in'
        return toLines`has no passkeys any more: ${next}. Its access tokens are revoked, and its sessions have ended.
${otherServices} ${noNotice}`
      },
    }
  },
})

const passkeysOf = ({ passkeys = {} }: Pick<AccountItem, 'passkeys'>): number => Object.keys(passkeys).length

export const disconnectCommand = actionCommand({
  summary: "Disconnects all of an account's logins by providers.",
  details: `For an owner who has lost the account at a provider, or does not know them all. The password, passkeys and a second factor stay;
connecting one again takes the password.`,
  action: () => ({
    already: account => (identitiesOf(account) === 0 ? 'has no logins by providers' : null),
    write: (table, account, now) => table.disconnect(account, now),
    done: (account, stack) => {
      const isOpen = readHash(account.password_hash) !== null
      const next = isOpen ? 'the password logs in' : 'a reset by mail sets a password'
      return toLines`has no logins by providers any more: ${next}. Its access tokens are revoked, and its sessions have ended.
${otherServices} ${noNotice}${isOpen ? '' : noMail(stack)}`
    },
  }),
})

const identitiesOf = ({ identities = {} }: Pick<AccountItem, 'identities'>): number => Object.keys(identities).length

export const revokeCommand = actionCommand({
  summary: "Revokes an account's password, passkeys, identities, tokens and links, until a reset by mail.",
  details: `For an account that someone else got into. Links in queued mails are revoked too, and so is a change of address that is not
confirmed yet; the undo link of a confirmed one still works. The owner gets back in by a reset by mail, which refuses the
former password, but so does anyone who can read the mailbox: lock keeps them out. A second factor stays: second-factor off
removes it.`,
  action: () => ({
    write: async (table, account) => table.revoke(account, await table.passedTime()),
    done: (account, stack) =>
      isInvited(account)
        ? toLines`is not invited any more: its link no longer works, and no other one is mailed. invite invites it again, delete frees
the address. ${noNotice}`
        : toLines`has no password now, until a reset by mail sets one${passkeysOf(account) === 0 ? '' : ', and no passkeys'}${identitiesOf(account) === 0 ? '' : ', and no logins by providers'}. Its access tokens and links are revoked, also the links in
queued mails, and no client IP address is remembered. Anyone who can read its mailbox can ask for a reset.
${otherServices} ${noNotice}${noMail(stack)}`,
  }),
})
