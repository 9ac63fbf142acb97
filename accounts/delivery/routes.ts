/** Needs of functions that several paths share, or that no path names. */
export const functions = {
  /** The only function that answers events instead of HTTP. */
  'on-mail-queued': {
    summary: 'Stores one-time tokens and sends the mails that carry them.',
    may: {
      QueuedMail: ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'],
      Mails: ['UpdateItem'],
      SetupLinks: ['UpdateItem'],
      Accounts: ['GetItem', 'UpdateItem'],
      Addresses: ['GetItem'],
      MailIdentity: ['SendEmail'],
    },
    writes: ['links'],
    settings: [
      'ACCENT_COLOR',
      'LANGUAGES',
      'LOGO_URL',
      'MAIL_FROM',
      'PASSKEY_RP_ID',
      'PRIVACY_URL',
      'PRODUCT_NAME',
      'RATE_LIMITS',
      'SECOND_FACTOR',
      'SIGN_IN_PROVIDERS',
      'SITE_URL',
      'SUPPORT_EMAIL',
      'TERMS_URL',
    ],
    timeout: 30,
  },
} as const
