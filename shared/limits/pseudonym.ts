import { createHmac } from 'node:crypto'

/** Keeps these pseudonyms apart from every other hash of the same text. It is no secret. */
const purpose = 'gatehouse counters'

/**
 * What an e-mail or remote address is called in the table of counters: nobody reads addresses there at a glance, or by
 * a backup of it. Anybody who can list the candidates can still find out which of them it is.
 */
export const pseudonym = (address: string): string =>
  createHmac('sha256', purpose).update(address).digest('base64url').slice(0, characters)

/** 132 bits: no two addresses share a counter. */
const characters = 22
