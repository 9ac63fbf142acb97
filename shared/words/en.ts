/**
 * All that pages and mails say, in English. `{gap}` is a value, `[words]` a link whose address the page knows; nothing else
 * has a meaning.
 */
export const en = {
  name: 'English',
  dir: 'ltr',
  read: { by: 'its authors', on: '2026-11-24' },
  address: '',
  glossary: {
    password: 'password',
    passkey: 'passkey',
    'authenticator app': 'authenticator app',
    'recovery code': 'recovery code',
    'two-step verification': 'two-step verification',
    'log in': 'log in',
  },
  // Subjects and previews hold nothing of the account, so that no stranger can choose a word of them.
  mails: {
    frame: {
      hello: 'Hello,',
      helloName: 'Hello {name},',
      lifetime: 'The link works once, within {lifetime}.',
      until: 'The link works once, until {until}.',
      bareLink: 'If the button does not work, copy this link into your browser:',
      sender: 'Sent by {product}.',
      senderWithSupport: 'Sent by {product}. Questions? Write to {support}.',
    },
    links: {
      verification: {
        subject: 'Verify your email address for {product}',
        preview: 'Confirm that this address is yours, within {lifetime}.',
        heading: 'Verify your email address',
        event:
          'Someone opened a new {product} account with the address {email}. If it was you, please confirm that this address is yours.',
        button: 'Verify email address',
        // Following the link verifies an account whose password a stranger may know.
        warning: 'If it was not you, ignore this email and do not open the link: the address will not be verified.',
      },
      reset: {
        subject: 'Reset your {product} password',
        preview: 'Someone asked for this link. It works once, within {lifetime}.',
        heading: 'Reset your password',
        event:
          'Someone asked to reset the password of the {product} account with the address {email}. If it was you, choose a new one now.',
        button: 'Choose a new password',
        // The account may have no password.
        warning: 'If it was not you, ignore this email: nothing changes.',
      },
      undone: {
        subject: 'Choose a new password for {product}',
        preview: 'Your former password no longer works. This link works once, within {lifetime}.',
        heading: 'Choose a new password',
        event:
          'A change of the {product} account with the address {email} was undone. Its password no longer works, because somebody else may know it. Choose another one now.',
        // Where the account gave way that had the address meanwhile.
        invitation:
          'This address had an invitation, which no longer works: you have your account again. If you still need what the invitation was for, ask the people who run this service.',
        button: 'Choose a new password',
        warning:
          'If it was not you, somebody else can read your email. Change the password of your mailbox first, and then choose a new password here: until then nobody can log in.',
      },
      // An operator may have mistyped the address: its reader learns nothing about the account.
      moved: {
        subject: 'Choose a password for your {product} account',
        preview: 'Your account has this address now. The link works once, within {lifetime}.',
        heading: 'Choose a new password',
        event:
          'At its owner’s request, the people who run this service have moved your {product} account here: it is now the one with the address {email}. It has no password. Choose one: that confirms that this address is yours.',
        button: 'Choose a new password',
        warning:
          'If it was not you, ignore this email, do not open the link, and tell the people who run this service.',
      },
      'second-factor': {
        subject: 'Set up two-step verification for {product}',
        preview: 'Set it up with an authenticator app, within {lifetime}.',
        heading: 'Set up two-step verification',
        event:
          'Someone logged in to the {product} account with the address {email}, which needs two-step verification. If it was you, set it up with an authenticator app on your phone.',
        button: 'Set up two-step verification',
        warning:
          'If it was not you, somebody else knows your password: choose “Forgot your password?” where you log in, and change it wherever else you use it. They cannot log in without this link.',
      },
      // Whoever typed the address may have mistyped it: its reader learns nothing about the account.
      'email-change': {
        subject: 'Confirm your new email address for {product}',
        preview: 'Confirm it with your password, within {lifetime}.',
        heading: 'Confirm your new email address',
        event:
          'Someone asked to use their {product} account with the address {email} from now on. If it was you, please confirm that with the password of the account.',
        button: 'Confirm the new address',
        warning: 'If it was not you, ignore this email: without the password of that account nothing changes.',
      },
      // Whoever typed the address may have mistyped it: its reader learns nothing, not even a name.
      invitation: {
        subject: 'You are invited to {product}',
        preview: 'Choose a password for your account. The link works once, until {until}.',
        heading: 'You are invited to {product}',
        event:
          'The people who run this service have opened a new {product} account for you, with the address {email}. Choose a password to use it.',
        button: 'Choose a password',
        warning: 'If you did not expect this, ignore it: nobody can use the account without it.',
      },
    },
    // What logs in beside the password.
    logins: {
      heading: 'You can also log in with:',
      app: 'An authenticator app, set up on {day}',
      passkey: 'The passkey “{label}”, added on {day}',
      passkeysLeft: 'Passkeys on the account: {passkeysLeft}.',
      provider: '{provider}, as {address}, connected on {day}',
      // Where the provider named no address.
      providerAlone: '{provider}, connected on {day}',
      providersLeft: 'Connected providers: {providersLeft}.',
    },
    // What has happened. Their only link undoes it: people should not get used to links in such mails.
    notices: {
      'password-changed': {
        subject: 'Your {product} password was changed',
        preview: 'It was changed on {when}. If it was not you, read what to do.',
        heading: 'Your password was changed',
        event:
          'The password of the {product} account with the address {email} was changed on {when}. You have been logged out everywhere else.',
        warning:
          'If it was not you, somebody else knows your password or can read your email. Change the password of your mailbox first. Then choose “Forgot your password?” where you log in: a new password logs out the person who changed it.',
      },
      // A link that was passed on must not be used unheard.
      'invitation-accepted': {
        subject: 'Your invitation to {product} was accepted',
        preview: 'It was accepted on {when}. If it was not you, read what to do.',
        heading: 'Your invitation was accepted',
        event:
          'The invitation to the {product} account with the address {email} was accepted on {when}: a password was chosen with its link.',
        warning:
          'If it was not you, somebody else had the link, or can read your email. Change the password of your mailbox first. Then choose “Forgot your password?” where you log in: a new password logs out the person who chose this one.',
      },
      'account-deleted': {
        subject: 'Your {product} account was deleted',
        preview: 'It was deleted on {when}. If it was not you, read what to do.',
        heading: 'Your account was deleted',
        event:
          'The {product} account with the address {email} was deleted on {when}. The address can be registered again.',
        warning:
          'If it was not you, somebody else knew its password. Change that password wherever else you use it. The account cannot be restored from this email.',
      },
      'email-changed': {
        subject: 'The address of your {product} account was changed',
        preview: 'It was changed on {when}. If it was not you, read what to do.',
        heading: 'Your email address was changed',
        event:
          'The address of the {product} account with the address {email} was changed to {newEmail} on {when}. Our emails go there now, and you have been logged out everywhere.',
        // Without a link the change took a second factor: a mailbox alone must not undo that.
        warning:
          'If it was not you, somebody else has your password and a code from your app, or a recovery code. Only the people who run this service can help you: write to them at once.',
        warningWithSetUpLink:
          'If it was not you, look for our email of the last seven days that two-step verification was turned on: the link in it turns it off again, and gives the account this address back. The password then stops working, everyone is logged out, and you get a link to choose a new password.',
        undo: {
          button: 'Undo the change',
          warning:
            'If it was not you, somebody else knows your password: undo the change with the link. The account then has this address again, its password stops working, everyone is logged out, and you get a link to choose a new password.',
        },
      },
      // The mailbox may be the one that a thief moved the account to: it does not learn the new address.
      'moved-by-operator': {
        subject: 'Your {product} account was moved to another address',
        preview: 'It was moved on {when}. If you did not ask for this, read what to do.',
        heading: 'Your account was moved',
        event:
          'The people who run this service have moved the {product} account with the address {email} to another address, on {when}. None of the ways to log in to it work any more, and everyone has been logged out.',
        warning:
          'If you did not ask for this, write to the people who run this service at once: only they can help you.',
      },
      'change-undone': {
        subject: 'The address of your {product} account was changed back',
        preview: 'It was changed back on {when}. If it was not you, read what to do.',
        heading: 'Your address was changed back',
        event:
          'The address of the {product} account with the address {email} was changed back to {newEmail} on {when}. None of the ways to log in to it work any more, and everyone has been logged out.',
        warning:
          'If it was not you, somebody else can read the email of that address. If that mailbox is yours, change its password, and then choose “Forgot your password?” where you log in. If you cannot get into the mailbox, write to the people who run this service at once.',
      },
      'factor-set-up': {
        subject: 'Two-step verification was turned on for your {product} account',
        preview: 'This happened on {when}. If it was not you, read what to do.',
        heading: 'Two-step verification was turned on',
        event:
          'Two-step verification was turned on for the {product} account with the address {email} on {when}: logging in now also needs a code from an authenticator app. You have been logged out everywhere else.',
        // Without a link it took the mailbox too.
        warning:
          'If it was not you, somebody else knows your password and can read your email. Change the password of your mailbox, and write to the people who run this service: only they can turn two-step verification off.',
        undo: {
          button: 'Turn off two-step verification',
          warning:
            'If it was not you, somebody else knows your password: turn two-step verification off with the link. The password then stops working, everyone is logged out, and you get a link to choose a new password.',
        },
      },
      'factor-replaced': {
        subject: 'The authenticator app of your {product} account was replaced',
        preview: 'It was replaced on {when}. If it was not you, read what to do.',
        heading: 'Your authenticator app was replaced',
        event:
          'The authenticator app of the {product} account with the address {email} was replaced on {when}: codes from the former app and the former recovery codes no longer work. You have been logged out everywhere else.',
        warning:
          'If it was not you, somebody else has your password and a code from your app, or a recovery code. Only the people who run this service can help you: write to them at once.',
      },
      'factor-removed': {
        subject: 'Two-step verification was turned off for your {product} account',
        preview: 'It was turned off on {when}. If it was not you, read what to do.',
        heading: 'Two-step verification was turned off',
        event:
          'Two-step verification was turned off for the {product} account with the address {email} on {when}: the password alone is now enough to log in. You have been logged out everywhere else.',
        warning:
          'If it was not you, somebody else has your password and a code from your app, or a recovery code. Choose “Forgot your password?” where you log in: a new password logs them out. Then turn two-step verification on again.',
      },
      'passkey-added': {
        subject: 'A passkey was added to your {product} account',
        preview: 'It was added on {when}. If it was not you, read what to do.',
        heading: 'A passkey was added',
        event:
          'A passkey was added to the {product} account with the address {email} on {when}: it logs in without the password.',
        // Where a mailbox must not replace the passkeys.
        warning:
          'If it was not you, somebody else can log in to your account. Only the people who run this service can help you: write to them at once.',
        warningWithReset:
          'If it was not you, somebody else can log in to your account. Choose “Forgot your password?” where you log in, and keep none of the other ways to log in there: that removes every passkey and logs everyone out. If you cannot log in after that, write to the people who run this service at once.',
        undo: {
          button: 'Remove the passkey',
          warning:
            'If it was not you, somebody else knows your password: remove the passkey with the link. The password then stops working, everyone is logged out, and you get a link to choose a new password.',
        },
      },
      'passkey-removed': {
        subject: 'A passkey of your {product} account was removed',
        preview: 'It was removed on {when}. If it was not you, read what to do.',
        heading: 'A passkey was removed',
        event:
          'A passkey of the {product} account with the address {email} was removed on {when}. You have been logged out everywhere else.',
        warning:
          'If it was not you, somebody else can log in to your account. Choose “Forgot your password?” where you log in: a new password logs them out.',
      },
      'provider-connected': {
        subject: 'Another way to log in to your {product} account was connected',
        preview: 'It was connected on {when}. If it was not you, read what to do.',
        heading: 'Another way to log in was connected',
        event:
          'A login with {provider} was connected to the {product} account with the address {email} on {when}: it logs in without the password.',
        warning:
          'If it was not you, somebody else can log in to your account. Choose “Forgot your password?” where you log in: a new password disconnects it and logs them out.',
        undo: {
          button: 'Disconnect this login',
          warning:
            'If it was not you, somebody else can log in to your account: disconnect it with the link. The password then stops working, everyone is logged out, and you get a link to choose a new password.',
        },
      },
      'provider-disconnected': {
        subject: 'A way to log in to your {product} account was disconnected',
        preview: 'It was disconnected on {when}. If it was not you, read what to do.',
        heading: 'A way to log in was disconnected',
        event:
          'The login with {provider} was disconnected from the {product} account with the address {email} on {when}. You have been logged out everywhere else.',
        warning:
          'If it was not you, somebody else can log in to your account. Choose “Forgot your password?” where you log in: a new password logs them out.',
      },
      'recovery-code-used': {
        subject: 'A recovery code of your {product} account was used',
        preview: 'It was used on {when}. If it was not you, read what to do.',
        heading: 'A recovery code was used',
        event:
          'For the {product} account with the address {email} a recovery code was used in place of a code from the app, on {when}. Recovery codes left: {codesLeft}.',
        warning:
          'If it was not you, somebody else has your password and your recovery codes. Choose “Forgot your password?” where you log in: a new password logs them out. Then make new recovery codes.',
      },
      'password-known': {
        subject: 'Somebody may know your {product} password',
        preview: 'Wrong codes were entered with it on {when}. If it was not you, read what to do.',
        heading: 'Somebody may know your password',
        event:
          'For the {product} account with the address {email} the right password was entered with wrong codes several times, last on {when}. Two-step verification let nobody in.',
        warning:
          'If it was not you, somebody else knows your password. Choose “Forgot your password?” where you log in, and change it wherever else you use it.',
      },
      'session-reused': {
        subject: 'You were logged out of {product} on one device',
        preview: 'It was for your safety, on {when}. Read what to do.',
        heading: 'You were logged out on one device',
        event:
          'A session of the {product} account with the address {email} was ended on {when}, because it was in use in two places: somebody may have copied what keeps you logged in there. You can log in again.',
        warning:
          'If it was not you, somebody else was logged in as you: change your password, which logs out everyone else, and look on that device for programs that you do not recognise.',
      },
    },
  },
  pages: {
    /** On every page, or on several. */
    frame: {
      language: 'Language',
      continue: 'Continue to {product}',
      continueTo: 'Continue to {name}',
      support: 'Questions? Write to [{supportEmail}].',
      terms: 'Terms of use',
      privacy: 'Privacy policy',
    },
    home: {
      account: 'Log in or create an account',
      developers: 'For developers: [Reference], [Query modules], [OpenAPI]',
    },
    notFound: {
      nothing: 'There is nothing at this address',
      check: 'Check it for typos. If a link brought you here, the link may have been cut off.',
      forPrograms: 'This address is for programs',
      calledBy: 'A browser cannot open it. Programs call it with {methods}.',
      near: 'Did you mean?',
      nearCall: '{path} (programs call it with {methods})',
      /** Puts several methods of HTTP into one gap. */
      either: '{methods} or {method}',
      purpose: 'Go to the home page',
    },
    /** On the pages behind links in mails. */
    link: {
      needsScript: 'This page needs JavaScript. Please turn it on and open the link in your email again.',
      void: 'This link no longer works',
      newLink: 'If not, ask for a new link.',
      cutOff: 'If you came here from an email, the link was cut off: open the whole link.',
      wasCutOff: 'This link was cut off',
      openWhole: 'Open the whole link in the email again.',
      send: 'Send a new link',
      sendAgain: 'Send it again',
      lifetime: 'The link works for {lifetime}. If no email arrives, check your spam folder and the address.',
      resent: 'Sent again. Only the link in the newest email works.',
      logInNow: 'You can now log in.',
      // The new password.
      logInWith: 'You can now log in with it.',
      logInAgain: 'You have to log in again wherever you were logged in.',
    },
    verifyEmail: {
      heading: 'Verify your email address',
      ask: 'If you opened an account with {product}, confirm that this address is yours. If you did not, close this page.',
      submit: 'Verify email address',
      done: 'Your address is verified',
      otherTab: 'If a log-in page of this browser waits for this, it goes on by itself.',
      void: 'A link works once, within {lifetime}, and only until a newer one is sent. If you have verified your address already, you can log\u00a0in with it.',
      get: 'Get a verification link',
      where: 'We send it to the address of your account.',
      sent: 'If {email} is the address of an account that is not verified yet, we have sent a link to it.',
    },
    resetPassword: {
      heading: 'Choose a new password',
      // Of an account that never had one.
      first: 'Choose a password',
      submit: 'Set new password',
      keepLogins: 'Yes, keep them',
      removeLogins: 'No, or I am not sure: remove them',
      done: 'Your password was changed',
      // The app's link stays where its owner removes what the page lists.
      notYourApp: 'If the authenticator app is not yours, open the link in our email about it.',
      onceVerified:
        'You can log in with it once your email address is verified. If it is not verified yet, [get a verification link].',
      void: 'A link works once, within {lifetime}, and only until a newer one is sent. If you have chosen a new password already, you can log\u00a0in with it.',
      where: 'We send a link to the address of your account.',
    },
    // What logs in beside the password, as the mail lists it.
    resetLogins: {
      heading: 'You can also log in with:',
      ask: 'Are all of these yours?',
      // Where the list cannot be loaded.
      unlisted: 'The email lists other ways to log in. Are all of these yours?',
      app: 'An authenticator app, set up on {day}',
      passkey: 'The passkey “{label}”, added on {day}',
      provider: '{label}, connected on {day}',
    },
    invitation: {
      heading: 'Accept your invitation',
      submit: 'Create account',
      done: 'Your account is ready',
      void: 'This link was used, has expired, or a newer one was sent. If you have chosen a password already, log in. If your invitation still stands, we send you a new link.',
      get: 'Get a new link',
      where: 'We send it to the address that was invited.',
    },
    changeEmail: {
      heading: 'Confirm your new email address',
      ask: 'If you asked to use this address for your account with {product}, enter the password of that account. If you did not, close this page.',
      submit: 'Confirm the new address',
      done: 'Your email address was changed',
      doneAbout: 'You can now log in with it. You have to log in again wherever you were logged in.',
      void: 'A link works once, within {lifetime}, and only until a newer one is sent. If you have confirmed the new address already, you can log\u00a0in with it.',
      stillOld: 'If you have not, your address is still the old one: log in with that, and change it again.',
      cutOff: 'Open the whole link in the email again. To change your address, log in first.',
    },
    undo: {
      heading: 'Undo the change',
      ask: 'Undo the change?',
      what: 'This undoes the change that the email describes, and any of the same kind made since.',
      password:
        'The password of the account stops working, everyone is logged out, and we send you a link to choose a new password.',
      ifYou: 'If it was you who made the change, close this page.',
      done: 'The change was undone',
      mail: 'We have sent you a link: choose a new password with it.',
      noMail: 'If no email arrives, check your spam folder, or [get another link].',
      void: 'A link works once, within {lifetime}, and only until an earlier change is undone. If you have undone the change already, choose a new password with the link that we sent you, or [get another one].',
      otherAccount:
        'It does not work either if the account was deleted, or if another account has your address by now. If that one is yours, because you have registered again since, delete it, and then open the link in the email again.',
    },
    secondFactor: {
      heading: 'Set up two-step verification',
      ask: 'Logging in to {product} takes a code from an authenticator app as well as your password. Install such an app on your phone, then log in here.',
      mailed: 'We have sent you a link to this page. Open it to go on: it works once, within {lifetime}.',
      usedLink:
        'If you came here from an email, its link has been used or has expired. If no email arrives, check your spam folder.',
      add: 'Add the account to your app',
      code: 'Code that the app shows',
      done: 'Two-step verification is on. If you lose the phone, each of these codes lets you in once. Print them or write them down now: nobody can show them again.',
      logInWithCode:
        'You can now log in, with a code from the app. You have to log in again wherever you were logged in.',
      notNeeded: 'You can log in',
      notNeededAbout: 'Your account has two-step verification already, or does not need it.',
    },
    /** What scripts say at the forms of all pages. */
    forms: {
      /** By the API's code. */
      refusals: {
        // The hint below the field says how long it must be.
        'password-too-short': 'This password is too short.',
        'password-too-common':
          'Choose another password. This one is too easy to guess: it is a common one, your email address (or the part before the @), or the name {product}.',
        'former-password': 'Choose a password that differs from the one before: somebody else may know that one.',
        'email-taken': 'There is an account with this address already. Log in to it, or use another address.',
        'bad-credentials': 'The email address or the password is wrong.',
        'wrong-password': 'This is not the password of the account. Try again.',
        'email-not-verified': 'Verify your email address first: open the link in the email that we sent you.',
        'account-locked': 'This account is locked.',
        'wrong-code':
          'This code is wrong. Enter the one that the app shows now. If it still fails, check that your phone’s clock is right.',
        'used-code': 'This code was used already. Wait for the next one.',
        'codes-disabled':
          'Codes from the app no longer work, after too many wrong ones. Enter a recovery code, or reset your password.',
        'wrong-passkey': 'This passkey does not work here. It may have been removed. Log in with your password.',
        'invalid-passkey-challenge': 'It took too long. Try again.',
        'no-passkey': 'This passkey is not there any more.',
        'too-many-passkeys': 'You have ten passkeys already. Remove one first.',
        'passkey-required': 'Log in with a passkey: the password alone is not enough for this account.',
        'passkeys-off': 'There are no passkeys here.',
        'no-second-factor-setup': 'It took too long. Cancel, and begin again.',
        'second-factor-off': 'Two-step verification is not available here.',
        'second-factor-setup': 'You need two-step verification to log in. We have sent you a link: set it up there.',
        'second-factor-required-here':
          'Two-step verification is required here. You can move it to a new phone, but not turn it off.',
        'sign-up-closed': 'Accounts are opened by invitation here. If you have one, open the link in its email.',
        'email-domain-not-allowed': 'Addresses at this domain cannot be used here. Try another one.',
        'provider-not-found': 'There is no such provider any more. Log in another way.',
        'provider-unavailable': '{name} does not answer. Try again, or log in another way.',
        'provider-refused': '{name} did not confirm this login. Start again.',
        'invalid-provider-token': 'This login took too long. Start again.',
        'provider-not-allowed': 'This account at {name} cannot be used here.',
        'provider-email-unverified':
          '{name} does not confirm your email address. Create an account with a password, then connect it.',
        'password-required': 'There is an account for this address already. Enter its password once to connect {name}.',
        'provider-taken': 'This account at {name} is connected to another account here.',
        'provider-limit': 'Five providers are connected already. Disconnect one first.',
        'no-password': 'This account has no password yet. Choose one with a link that we send you.',
        administrator:
          'This is the account of an administrator: here it can neither be deleted nor get another address.',
        'too-many-requests': 'Too many attempts from your network. Try again {wait}.',
        unavailable: 'The service is not available at the moment. Try again {wait}.',
        /** Any other: a fault of the page or of the service. */
        internal: 'Something went wrong ({status}). Try again {wait}.',
      },
      /** The same where nobody knows how long to wait. */
      soon: {
        'too-many-requests': 'Too many attempts from your network. Try again in a moment.',
        unavailable: 'The service is not available at the moment. Try again in a moment.',
        internal: 'Something went wrong ({status}). Try again in a moment.',
      },
      /** Of a new password, in place of the refusal's own words. */
      breached:
        'Choose another password. This one has appeared in a data breach, and thieves try such passwords first.',
      unreachable: 'The service cannot be reached. Check your connection and try again.',
      /** By the name of a field: what to do if it is empty, and if the API does not take what is in it. */
      fields: {
        email: { empty: 'Enter your email address.', invalid: 'Enter an email address, such as {example}.' },
        password: {
          empty: 'Enter your password.',
          invalid: 'That is not a valid password. Use at most 256 characters.',
        },
        your_email: { empty: 'Enter your email address.', invalid: 'This is not the address of your account.' },
        code: { empty: 'Enter a code.', invalid: 'That is not a valid code.' },
        current_password: { empty: 'Enter your current password.', invalid: 'This is not your current password.' },
        new_email: {
          empty: 'Enter the new email address.',
          invalid: 'Enter an email address, such as {example}.',
        },
        new_password: {
          empty: 'Enter a new password.',
          invalid: 'That is not a valid password. Use at most 256 characters.',
        },
        name: {
          empty: 'Enter a name.',
          invalid: 'That is not a valid name. Use at most 200 characters, no invisible ones, and not only spaces.',
        },
        label: {
          empty: 'Enter a name.',
          invalid: 'That is not a valid name. Use at most 60 characters, no invisible ones, and not only spaces.',
        },
        keep_other_logins: { empty: 'Choose one.', invalid: 'Choose one.' },
      },
      /** While an answer takes longer than a person notices. */
      moment: 'One moment…',
      device: 'Waiting for your device…',
      /** The name of a session or passkey. */
      browserOn: '{browser} on {system}',
      showPassword: 'Show password',
      /** The step for a code. */
      factor: {
        heading: 'Enter your code',
        code: 'Code',
        hint: 'Six digits from your authenticator app.',
        recoveryCode: 'Recovery code',
        hintRecovery: 'One of the codes that you saved when you turned on two-step verification.',
        useRecovery: 'Use a recovery code',
        useApp: 'Use a code from the app',
        wrongRecovery: 'This recovery code is wrong, or was used already.',
        back: 'Back',
      },
      resent: 'Sent again.',
      noPasskeyUsed: 'No passkey was used. Try again, or log in with your password.',
      noPasskeyAdded: 'No passkey was added. Try again.',
      hasPasskey: 'This device already has a passkey for your account.',
    },
    /** Where a second factor is set up. */
    setup: {
      scan: 'Scan this code with the authenticator app on your phone.',
      qrCode: 'QR code of the key',
      orType: 'Or copy this key into the app, or type it there:',
      typeCode: 'Type the six digits that the app shows then.',
      copyKey: 'Copy the key',
      openApp: 'Open an app on this device',
      tookTooLong: 'It took too long. Log in again, and we send you another link.',
      copyCodes: 'Copy the codes',
      saveCodes: 'Download the codes',
      codesFile: '{product} recovery codes',
      copied: 'Copied.',
    },
    /** On the pages where people log in, of other providers. */
    providers: {
      or: 'or',
      continueWith: 'Continue with {name}',
      notLoggedIn: 'Logging in with {name} was cancelled. Try again, or log in another way.',
      providerProblem: '{name} reports a problem. Try again, or log in another way.',
    },
    /** Where a provider leads people back who do not come from this tab. */
    signIn: {
      title: 'Log in',
      heading: 'You are not logged in',
      stray: 'This login was not started in this tab, or was used already. Start again.',
    },
    /** What the account page says before its script runs. */
    account: {
      title: 'Your account',
      needsScript: 'This page needs JavaScript. Please turn it on.',
    },
    /** Where people log in to an application. */
    authorize: {
      title: 'Log in',
      heading: 'Log in to {name}',
      stay: 'Keep me logged in in this browser',
      hintStay:
        'Other applications can then log you in here without asking. Do not tick it if others use this browser.',
      continueAs: 'Continue as {email}?',
      done: 'You are logged in',
      noClient: 'There is no such application',
      noRedirect: 'The application may not send people back to this address',
      tellThem: 'You cannot log in from here. Please tell the people who run the application that sent you.',
    },
    /** Where people log out of a browser that stayed logged in. */
    logout: {
      ask: 'Log out in this browser?',
      about: 'You stay logged in to applications until you log out of each.',
      done: 'You are logged out in this browser',
      noWayOn: 'The application asked to go on to an address that it may not use.',
    },
    /** Headings of the account page, its links to them, and titles. */
    headings: {
      logIn: 'Log in',
      register: 'Create an account',
      forgot: 'Reset your password',
      sent: 'Check your inbox',
      profile: 'Profile',
      security: 'Security',
      sessions: 'Sessions',
    },
    /** Fields and buttons of the account page. */
    controls: {
      email: 'Email address',
      password: 'Password',
      name: 'Name',
      nameOptional: 'Name (optional)',
      currentPassword: 'Current password',
      newPassword: 'New password',
      showCurrentPassword: 'Show current password',
      stay: 'Keep me logged in in this tab',
      logIn: 'Log in',
      logOut: 'Log out',
      forgot: 'Forgot your password?',
      register: 'Create an account',
      sendLink: 'Send a link',
      sendAgain: 'Send the email again',
      goOn: 'Continue',
      otherAddress: 'Use another address',
      tryAgain: 'Try again',
      changeName: 'Change name',
      saveName: 'Save name',
      newEmail: 'New email address',
      changeAddress: 'Change address',
      changePassword: 'Change password',
      another: 'Use another account',
      turnOn: 'Turn on',
      newPhone: 'Move to a new phone',
      confirm: 'Confirm',
      cancel: 'Cancel',
      newCodes: 'Make new recovery codes',
      keptCodes: 'I have saved them',
      turnOff: 'Turn off',
      logOutEverywhere: 'Log out everywhere',
      deleteAccount: 'Delete account',
      yourEmail: 'Your email address',
      end: 'End',
      endOthers: 'Log out of all other devices',
      changeLanguage: 'Change language',
      mailLanguage: 'Language of our emails',
      saveLanguage: 'Save language',
      logInWithPasskey: 'Log in with a passkey',
      usePasskey: 'Use a passkey',
      addPasskey: 'Add a passkey',
      passkeyName: 'Name of the passkey',
      rename: 'Rename',
      remove: 'Remove',
      connect: 'Connect {name}',
      disconnect: 'Disconnect {name}',
      connectAndLogIn: 'Connect and log in',
      noPassword: 'No password, or forgotten it? Send a link',
      anotherWay: 'Log in another way',
      choosePassword: 'Choose a password',
    },
    /** Everything else that the account page says. */
    texts: {
      thenComeBack: 'Open the link, on any device. Then come back here and choose Continue.',
      needsFactor: 'You need two-step verification first. We have sent a link to {email}: set it up there.',
      unverified: 'Verify your email address first. We have sent a link to {email}.',
      // Below what creates an account.
      terms: 'By creating an account, you agree to the [terms of use].',
      privacy: 'The [privacy policy] says what happens to your data.',
      navigation: 'Account',
      sending: 'A form is still being sent. Try again in a moment.',
      newHere: 'New here? [Create an account]',
      notNew: 'Have an account already? [Log in]',
      hintStay: 'Without this, reloading the page logs you out.',
      hintPassword: 'At least 8 characters. Longer is better, and spaces are welcome.',
      hintName: 'We use it to greet you in emails.',
      reloaded: 'Reloading the page logged you out. To avoid that, tick “Keep me logged in in this tab”.',
      copied: 'Another tab uses this login, and each tab needs its own. Log in here too.',
      ended: 'You have been logged out, because your login has expired or was ended. Log in to go on where you were.',
      loggedOut: 'You are logged out.',
      loggedOutHere:
        'You are logged out in this tab, but the service could not be told. Log in again and end the session, or wait until it expires.',
      loggedOutEverywhere: 'You are logged out everywhere.',
      deleted: 'Your account has been deleted.',
      registered: 'Your account has been created. We have sent a link to {email}.',
      thenGoOn: 'Open the link to verify your address. If you open it in this browser, this page goes on by itself.',
      thenLogIn: 'Open the link to verify your address. After that you can log in.',
      logInNow: 'Open the link to verify your address. You can log in already.',
      linkSent: 'If {email} is the address of an account, we have sent a link to it.',
      noMail: 'If no email arrives, check your spam folder and the address.',
      newsSent: 'We have sent a new link. Only the link in the newest email works.',
      // The name.
      noName: 'None yet',
      nameSaved: 'Your name has been saved.',
      nameRemoved: 'Your name has been removed.',
      since: 'Your account was created on {day}.',
      // The address.
      verified: 'Verified',
      notVerified: 'Not verified yet',
      verify: 'Verify your email address {email}. Passkeys and two-step verification come after that.',
      changeAddress:
        'We send a link to the new address. Your address changes once you open the link there and enter your password. For seven days, the old address can take the account back, with the link in our email about this change (unless you have an authenticator app), or about an app that was set up in those days. If somebody else reads the old mailbox, set up an app first. Then reset your password by email, answer that all the ways to log in that it lists are yours, and change the address after that.',
      addressAsked: 'If {email} can be used, we have sent a link to it.',
      linkVoid: 'The link that we sent to {email} before no longer works.',
      password: 'Password',
      changePassword: 'A change logs you out everywhere but here.',
      passwordChanged: 'Your password has been changed.',
      lastChanged: 'Last changed {time}',
      secondFactor: 'Two-step verification',
      // Two-step verification.
      on: 'On',
      off: 'Off',
      factorRemoved: 'Two-step verification is off.',
      noFactor: 'Logging in then also takes a code from an app on your phone.',
      hasFactor: 'Logging in takes a code from your authenticator app.',
      app: 'Authenticator app',
      aboutApp: 'Makes the codes that you log in with.',
      replaceApp:
        'With a new phone, set the app up there. The old one stops working then, and so do your recovery codes.',
      recoveryCodes: 'Recovery codes',
      codesLeft: 'Recovery codes left: {left}.',
      keepCodes: 'Save your recovery codes',
      aboutCodes:
        'If you lose the phone, each of these codes lets you in once. Write them down or print them now: nobody can show them again.',
      logOutEverywhere: 'Logs you out on all devices, including this one.',
      deleteAccount: 'Deletes your account for good. You cannot bring it back.',
      sessions: 'Where you are logged in. If you do not recognise one, end it and change your password.',
      noSessions: 'You have no sessions.',
      noOwnSession: 'This tab is logged in until you reload or close it, and is not in this list.',
      thisTab: 'this tab',
      unnamed: 'Unnamed device',
      inBrowser: 'Stays logged in in a browser',
      /** Of a time less than a minute ago. */
      justNow: 'just now',
      lastUsed: 'Last used {time}',
      loggedInAt: 'Logged in {time}',
      endInBrowser: 'This also ends the sessions of applications that were opened by it.',
      sessionEnded: 'The session has ended.',
      endOthers: 'Ends all sessions but that of this tab.',
      othersEnded: 'You are logged out on all other devices.',
      application: 'application',
      languageSaved: 'Our emails now come in this language.',
      warningsLater: 'For seven days, warnings about your account still come in the former one.',
      // The language of mails.
      noLanguage: 'Not chosen yet',
      passkeys: 'Passkeys',
      aboutPasskeys: 'Log in with the fingerprint, face or PIN of your device.',
      besidePassword: 'Your password still works too. To protect it, turn on two-step verification.',
      noWebAuthn: 'This browser cannot use passkeys.',
      otherDomain: 'Passkeys work at {domain}, and not at this address.',
      useLocalhost: 'Passkeys do not work at this address: use [localhost].',
      passkeysOff: 'Passkeys are switched off here.',
      synced: 'synced',
      onThisDevice: 'on this device only',
      addedAt: 'Added {time}',
      neverUsed: 'Not used yet',
      passkeyAdded: 'The passkey has been added.',
      passkeyRenamed: 'The passkey has its new name.',
      removePasskey: 'You will no longer be able to log in with it, and you are logged out everywhere but here.',
      passkeyRemoved: 'The passkey has been removed.',
      addressThere: 'Logged in with {name} as {email}',
      addressHere: 'The account here: {email}',
      aboutConnecting:
        'Anyone who can log in to this {name} account will be able to log in here. If both are yours, enter this account’s password.',
      notChosen: 'If you did not choose it, choose a new one by email: that logs out whoever did.',
      waysToLogIn: 'Ways to log in',
      aboutProviders: 'Log in with another provider, without your password.',
      connectedAt: 'Connected {time}',
      // In place of its name.
      formerProvider: 'A former provider',
      disconnect: 'You will no longer be able to log in with it, and you are logged out everywhere but here.',
      disconnected: 'The login has been disconnected.',
      changes: 'Changes of the last seven days',
      changed: {
        email: 'The email address was changed',
        factor: 'Two-step verification was turned on',
        passkey: 'A passkey was added',
        provider: 'Another provider was connected',
        undone: 'A change was undone',
        'moved-by-operator': 'The people who run this service changed the email address',
      },
      undoable: 'The link in our email about it undoes this.',
      notUndoable: 'No link undoes this.',
      noPassword: 'Your account has no password yet. We send you a link to choose one.',
    },
  },
} as const
