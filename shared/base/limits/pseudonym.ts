import { createHmac } from 'node:crypto'

/** Makes these pseudonyms differ from any other hash of the same text. It is no secret. */
const purpose = 'gatehouse counters'

/**
 * Replaces an e-mail or remote address in the table of counters, so that the table and its backups show none. Anyone
 * with a list of candidates can still find out which of them it is.
 */
export const pseudonym = (address: string): string =>
  createHmac('sha256', purpose).update(address).digest('base64url').slice(0, characters)

/** 132 bits: no two addresses share a counter. */
const characters = 22
