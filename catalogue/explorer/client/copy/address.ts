/** Name and value, decoded and well-formed. */
export type Parameter = readonly [name: string, value: string]

/** The address of a query. */
export const writeUrl = ({ endpoint, parameters }: { endpoint: string; parameters: readonly Parameter[] }): string =>
  `${endpoint}?${parameters.map(([name, value]) => `${encodeFully(name)}=${encodeFully(value)}`).join('&')}`

/** Percent-encodes a text, including `'`, `!`, `(` and `)`, so that chats, mails and shells take the whole address as one link. */
export const encodeFully = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
