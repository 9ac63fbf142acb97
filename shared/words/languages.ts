import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import type { Words } from './words.ts'

/** The languages of pages and mails, by their shortest tag (RFC 5646). This is the only list of them. */
export const languages = { en, de, fr, es } satisfies Record<string, Words>
