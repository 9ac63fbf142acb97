import { readFragment, toFragment } from '../../../../catalogue/explorer/client/session/state.ts'

/** A text after a reload. */
export const kept = (text: string): string => readFragment(toFragment({ text, limits: 'any' })).text
