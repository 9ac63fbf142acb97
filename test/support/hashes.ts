/** What each system's own library made of these passwords (`by`), or code that does as the system does. */
export { default as made } from './hashes.json' with { type: 'json' }

export const passwords = { short: 'abcdefgh', long: `${'x'.repeat(99)}y`, composed: 'crème brûlée ﬁx' }
