// What must not compile in a file of words. `npm run typecheck` fails when one of these compiles.
import { type ErrorCode, wordlessCodes } from '../../shared/base/errors.ts'
import type { en } from '../../shared/words/en.ts'
import type { Words } from '../../shared/words/words.ts'

declare const words: Words
type Frame = Words['mails']['frame']
const { bareLink: _, ...fewer } = words.mails.frame

// What is right compiles: the mistakes below differ from it in one thing each.
export const right: Frame = {
  ...words.mails.frame,
  bareLink: 'Wenn der Knopf nichts tut, öffnen Sie diesen Link:',
  senderWithSupport: 'Fragen? {support}. Von {product}.',
}
// @ts-expect-error a text that is missing
export const noText: Frame = fewer
// @ts-expect-error a gap that is missing
export const noGap: Frame = { ...words.mails.frame, sender: 'Von uns.' }
// @ts-expect-error one of two gaps that is missing
export const oneGap: Frame = { ...words.mails.frame, senderWithSupport: 'Von {product}.' }
// @ts-expect-error a gap of another name
export const otherGap: Frame = { ...words.mails.frame, sender: 'Von {produkt}.' }
// @ts-expect-error a text that English does not have
export const moreText: Frame = { ...words.mails.frame, postscript: 'PS' }
// @ts-expect-error a direction that does not exist
export const wrongDirection: Words['dir'] = 'rtr'
// @ts-expect-error nobody says whether somebody has read it
export const unread: Pick<Words, 'read'> = {}
// @ts-expect-error a word that is always the same one is missing
export const fewerWords: Words['glossary'] = { password: 'Passwort' }

type Wordless = Record<Exclude<ErrorCode, keyof typeof en.pages.forms.refusals>, string>
// This compiles: each code has either words or a line of `wordlessCodes`.
export const everyCode: Wordless = wordlessCodes
export const noneTwice: keyof Wordless = {} as keyof typeof wordlessCodes
const { 'malformed-json': __, ...fewerCodes } = wordlessCodes
// @ts-expect-error a code without words that is not listed as wordless
export const fewCodes: Wordless = fewerCodes
// @ts-expect-error a code that has words and is listed as well
export const wordedCode: keyof Wordless = {} as keyof typeof wordlessCodes | 'wrong-code'
