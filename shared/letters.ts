import type { TokenKind } from './one-time-token.ts'

/** A mail, before it has a sender and a recipient. */
export interface Letter {
  subject: string
  text: string
  html: string
}

export function writeLetter(kind: TokenKind, to: { email: string; name: string | null }, link: string): Letter {
  return { subject: kind, text: `${to.name ?? to.email} ${link}`, html: `<a href="${link}">${kind}</a>` }
}
