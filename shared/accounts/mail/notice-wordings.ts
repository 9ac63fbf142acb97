import type { Sentence } from './letter-layout.ts'
import type { NoticeMessage } from './queue.ts'

/** The text of a mail, for a product and an account's address. */
export interface Wording {
  /** Holds nothing of the account, so that no stranger can choose a word of it. */
  subject: (product: string) => string
  /** What lists of mails show after the subject. Holds nothing of the account either. */
  preview: (when: string) => string
  heading: string
  /** What happened. */
  event: Sentence<[product: string, email: string, when: string, newEmail: string, codesLeft: string]>
  /** What to do if it was not the reader. */
  warning: string
}

export type NoticeKind = NoticeMessage['kind'] | 'email-changed'

interface NoticeWording extends Wording {
  /** The button that undoes what happened, and what to do with it in place of `warning`. */
  undo?: { button: string; warning: string }
}

/** What to do against somebody who has all that the owner has. */
const bothStolen =
  'If it was not you, somebody else has your password and your second factor. Only the people who run this service can ' +
  'help you: write to them at once.'

/** The mails about what has happened. Their only link undoes it: people should not get used to links in such mails. */
export const noticeWordings: Record<NoticeKind, NoticeWording> = {
  'password-changed': {
    subject: product => `Your ${product} password was changed`,
    preview: when => `It was changed on ${when}. If it was not you, read what to do.`,
    heading: 'Your password was changed',
    event: (format, product, email, when) =>
      format`The password of the ${product} account with the address ${email} was changed on ${when}. Everyone who was logged in elsewhere has to log in again.`,
    warning:
      'If it was not you, somebody else knows your password or can read your mail. Change the password of your mailbox ' +
      'first. Then reset this password where you log in: that logs out the person who changed it.',
  },
  'account-deleted': {
    subject: product => `Your ${product} account was deleted`,
    preview: when => `It was deleted on ${when}. If it was not you, read what to do.`,
    heading: 'Your account was deleted',
    event: (format, product, email, when) =>
      format`The ${product} account with the address ${email} was deleted on ${when}. The address can be registered again.`,
    warning:
      'If it was not you, somebody else knew its password. Change that password wherever else you use it. The account ' +
      'cannot be restored from this mail.',
  },
  'email-changed': {
    subject: product => `The address of your ${product} account was changed`,
    preview: when => `It was changed on ${when}. If it was not you, read what to do.`,
    heading: 'Your email address was changed',
    event: (format, product, email, when, newEmail) =>
      format`The ${product} account with the address ${email} has the address ${newEmail} instead: it was changed on ${when}. Its mails go there, and everyone who was logged in has to log in again.`,
    // Without a link the change took a second factor: a mailbox alone must not undo that.
    warning: bothStolen,
    undo: {
      button: 'Undo the change',
      warning:
        'If it was not you, somebody else knows your password: undo the change with the link. The account then has this ' +
        'address again, its password stops working, everyone is logged out, and you get a link to choose a new password.',
    },
  },
  'factor-set-up': {
    subject: product => `A second factor was set up for your ${product} account`,
    preview: when => `It was set up on ${when}. If it was not you, read what to do.`,
    heading: 'A second factor was set up',
    event: (format, product, email, when) =>
      format`A second factor was set up for the ${product} account with the address ${email} on ${when}: to log in takes a code of an authenticator app too. Everyone who was logged in elsewhere has to log in again.`,
    warning: bothStolen,
    undo: {
      button: 'Remove the second factor',
      warning:
        'If it was not you, somebody else knows your password: remove the second factor with the link. The password then ' +
        'stops working, everyone is logged out, and you get a link to choose a new password.',
    },
  },
  'factor-replaced': {
    subject: product => `The second factor of your ${product} account was replaced`,
    preview: when => `It was replaced on ${when}. If it was not you, read what to do.`,
    heading: 'Your second factor was replaced',
    event: (format, product, email, when) =>
      format`The second factor of the ${product} account with the address ${email} was replaced on ${when}: the codes of the former app and the former recovery codes no longer work. Everyone who was logged in elsewhere has to log in again.`,
    warning: bothStolen,
  },
  'factor-removed': {
    subject: product => `The second factor of your ${product} account was removed`,
    preview: when => `It was removed on ${when}. If it was not you, read what to do.`,
    heading: 'Your second factor was removed',
    event: (format, product, email, when) =>
      format`The second factor of the ${product} account with the address ${email} was removed on ${when}: to log in takes the password alone. Everyone who was logged in elsewhere has to log in again.`,
    warning:
      'If it was not you, somebody else has your password and your second factor. Reset the password where you log in, ' +
      'which logs them out, and set up a second factor again.',
  },
  'recovery-code-used': {
    subject: product => `A recovery code of your ${product} account was used`,
    preview: when => `It was used on ${when}. If it was not you, read what to do.`,
    heading: 'A recovery code was used',
    event: (format, product, email, when, _, codesLeft) =>
      format`For the ${product} account with the address ${email} a recovery code was used in place of a code of the app, on ${when}. Recovery codes left: ${codesLeft}.`,
    warning:
      'If it was not you, somebody else has your password and your recovery codes. Reset the password where you log in, ' +
      'which logs them out, and make new recovery codes.',
  },
  'password-known': {
    subject: product => `Somebody may know your ${product} password`,
    preview: when => `Wrong codes were entered with it on ${when}. If it was not you, read what to do.`,
    heading: 'Somebody may know your password',
    event: (format, product, email, when) =>
      format`For the ${product} account with the address ${email} the right password was entered with wrong codes several times, last on ${when}. The second factor let nobody in.`,
    warning:
      'If it was not you, somebody else knows your password. Reset it where you log in, and change it wherever else you ' +
      'use it.',
  },
}
