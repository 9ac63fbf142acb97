/** How long a one-time token works, in hours from the request for it (specification, section 8). */
const hours = { verification: 24, reset: 1 } as const

/** The same in milliseconds. */
export const lifetimes = {
  verification: hours.verification * 60 * 60 * 1000,
  reset: hours.reset * 60 * 60 * 1000,
} as const

/** The same in words, for mails and pages. */
export const lifetimeInWords = (kind: keyof typeof hours): string =>
  hours[kind] === 1 ? '1 hour' : `${hours[kind]} hours`
