import type { ErrorCode } from '../base/errors.ts'

/**
 * What pages say to people: the API's own texts are for programmers. All words of the account page are here, and those of the
 * other pages that their script says. `{product}`, `{email}` and the like are filled in.
 */

/** By the API's code. Any other refusal is a fault of the page or of the service: `unexpected`. */
export const refusalWords: Partial<Record<ErrorCode, string>> = {
  'password-too-short': 'Use at least 8 characters.',
  'password-too-common':
    'Choose another password. This one is too easy to guess: it is a common one, your email address (or the part before ' +
    'the @), or the name {product}.',
  'email-taken': 'There is an account with this address already. Log in to it, or use another address.',
  'bad-credentials': 'The email address or the password is wrong.',
  'wrong-password': 'This is not the password of the account. Try again.',
  'email-not-verified': 'Verify your email address first: open the link in the mail that we sent you.',
  'account-locked': 'This account is locked.',
  'wrong-code':
    'This code is wrong. Enter the one that the app shows now. If it is, check that the time of your phone is right.',
  'used-code': 'This code was used already. Wait for the next one.',
  'codes-disabled':
    'Codes of the app are switched off, because there were too many wrong ones. Enter a recovery code, or reset your password.',
  'no-second-factor-setup': 'It took too long. Cancel, and begin again.',
  'second-factor-off': 'Second factors are switched off here.',
  'second-factor-setup': 'You need a second factor to log in. We have mailed you a link: set it up there.',
  'second-factor-required-here': 'A second factor is required here. It can be replaced, but not removed.',
  administrator: 'This is the account of an administrator: here it can neither be deleted nor get another address.',
  'too-many-requests': 'There were too many tries from your network. Try again {wait}.',
  unavailable: 'The service does not work at the moment. Try again {wait}.',
}

/** By the name of a field: what to do if it is empty, and if the API does not take what is in it. */
export const fieldWords: Record<string, { empty: string; invalid: string }> = {
  email: { empty: 'Enter your email address.', invalid: 'Enter an email address, such as ada@example.com.' },
  password: { empty: 'Enter your password.', invalid: 'This cannot be a password. Use at most 256 characters.' },
  code: { empty: 'Enter a code.', invalid: 'This cannot be a code.' },
  current_password: { empty: 'Enter your current password.', invalid: 'This is not your current password.' },
  new_email: { empty: 'Enter the new email address.', invalid: 'Enter an email address, such as ada@example.com.' },
  new_password: { empty: 'Enter a new password.', invalid: 'This cannot be a password. Use at most 256 characters.' },
  name: {
    empty: 'Enter a name.',
    invalid: 'This cannot be a name. Use at most 200 characters, and none that is invisible.',
  },
}

/** While an answer takes longer than a person notices. */
export const moment = 'One moment…'

export const unexpected = 'Something went wrong ({status}). Try again {wait}.'

export const unreachable = 'The service cannot be reached. Check your connection and try again.'

/** On the page that sets up a second factor. */
export const setupWords = {
  qrCode: 'QR image of the key',
  tookTooLong: 'It took too long. Log in again, and we mail you another link.',
}

/** What the account page says before its script runs. */
export const accountWords = {
  title: 'Your account',
  needsScript: 'This page needs JavaScript. Please turn it on.',
}

/** Headings of the account page, its links to them, and titles. */
export const headings = {
  logIn: 'Log in',
  register: 'Create an account',
  forgot: 'Reset your password',
  sent: 'Check your inbox',
  profile: 'Profile',
  security: 'Security',
  sessions: 'Sessions',
}

/** Fields and buttons of the account page. */
export const controls = {
  email: 'Email address',
  password: 'Password',
  name: 'Name',
  currentPassword: 'Current password',
  newPassword: 'New password',
  showPassword: 'Show password',
  stay: 'Stay logged in in this tab',
  logIn: 'Log in',
  logOut: 'Log out',
  forgot: 'Forgot your password?',
  register: 'Create an account',
  sendLink: 'Send a link',
  sendAgain: 'Send the mail again',
  otherAddress: 'Use another address',
  tryAgain: 'Try again',
  saveName: 'Save name',
  newEmail: 'New email address',
  changeAddress: 'Change address',
  changePassword: 'Change password',
  code: 'Code',
  setUpApp: 'Set up an authenticator app',
  confirm: 'Confirm',
  cancel: 'Cancel',
  newCodes: 'Make new recovery codes',
  copyCodes: 'Copy the codes',
  keptCodes: 'I have kept them',
  removeFactor: 'Remove the second factor',
  logOutEverywhere: 'Log out everywhere',
  deleteAccount: 'Delete account',
  end: 'End',
  toApp: 'Continue to {product}',
}

/** Everything else that the account page says. */
export const texts = {
  navigation: 'Account',
  hintStay: 'Without this, a reload logs you out.',
  hintPassword: 'At least 8 characters. Longer is better, and spaces are welcome.',
  hintName: 'Our mails greet you with it. You can leave it empty.',
  reloaded: 'The reload logged you out. To prevent that, stay logged in in this tab.',
  copied: 'Another tab uses this login, and each tab needs its own. Log in here too.',
  ended: 'You are logged out, because your login has expired or was ended. Log in to go on where you were.',
  loggedOut: 'You are logged out.',
  loggedOutHere:
    'You are logged out in this tab, but the service could not be told. Log in again and end the session, or wait until it expires.',
  loggedOutEverywhere: 'You are logged out everywhere.',
  deleted: 'Your account has been deleted.',
  registered: 'Your account is open. A mail with a link is on its way to {email}.',
  thenLogIn: 'Open the link to verify your address. After that you can log in.',
  logInNow: 'Open the link to verify your address. You can log in already.',
  linkSent: 'If {email} is the address of an account, a mail with a link is on its way.',
  noMail: 'If no mail arrives, check your spam folder and the address.',
  newsSent: 'A mail with a new link is on its way. Only the link in the newest mail works.',
  nameSaved: 'Your name has been saved.',
  verified: 'Verified',
  notVerified: 'Not verified yet',
  verify: 'Open the link in our mail to verify it.',
  changeAddress:
    'We mail a link to the new address. Your address changes once you open it there and enter your password.',
  addressAsked: 'If the address can be used, a mail with a link is on its way to it.',
  changePassword: 'A change logs you out everywhere but here.',
  passwordChanged: 'Your password has been changed.',
  hintCode: 'From your authenticator app, or a recovery code.',
  codeAsked: 'Enter a code as well.',
  secondFactor: 'Second factor',
  factorRemoved: 'Your account has no second factor any more.',
  noFactor:
    'With an authenticator app on your phone, a stolen password is not enough to get into your account: logging in takes a code of the app too.',
  hasFactor: 'Your account asks for a code of your authenticator app.',
  codesLeft: 'Recovery codes left: {left}.',
  scan: 'Scan this code with the authenticator app.',
  orType: 'Or type this key into the app:',
  hintAppCode: 'The six digits that the app shows now.',
  keepCodes: 'Keep your recovery codes',
  aboutCodes:
    'If you lose the phone, each of these codes lets you in once. Write them down or print them now: nobody can show them again.',
  copiedCodes: 'Copied.',
  logOutEverywhere: 'Logs you out on all devices and in all tabs, this one too.',
  deleteAccount: 'Deletes your account for good. Nobody can bring it back.',
  sessions: 'Where you stay logged in. End what you do not know, and change your password.',
  noSessions: 'You stay logged in nowhere.',
  noOwnSession: 'This tab is logged in until you reload or close it, and is not in this list.',
  thisTab: 'this tab',
  unnamed: 'Unnamed device',
  lastUsed: 'Last used {time}',
  loggedInAt: 'Logged in {time}',
  sessionEnded: 'The session has ended.',
  device: '{browser} on {system}',
  yourName: 'Your name',
}
