import { readFragment, toFragment } from '../../../../catalogue/explorer/client/session/state.ts'

/** What a reload makes of a text. */
export const kept = (text: string): string => readFragment(toFragment({ text, limits: 'any' })).text
