import type { en } from './en.ts'

/** A words file's facts about its language. */
interface About {
  /** The language's name in itself. */
  name: string
  dir: 'ltr' | 'rtl'
  /** The native reader of the whole file, and when; null for a draft. */
  read: { by: string; on: string } | null
  /** How it addresses people. */
  address: string
  /** Its word for terms that must stay the same. */
  glossary: Record<
    'password' | 'passkey' | 'authenticator app' | 'recovery code' | 'two-step verification' | 'log in',
    string
  >
}

/** The gaps `{name}` of a text. */
type GapsOf<Text extends string> = Text extends `${string}{${infer Gap}}${infer Rest}` ? Gap | GapsOf<Rest> : never

/** A text with these gaps, in any order. */
type WithGaps<Gap extends string> = (
  Gap extends string
    ? (text: `${string}{${Gap}}${string}`) => void
    : never
) extends (text: infer Text) => void
  ? Text
  : never

/** A text with as many links `[words]` as the English one. */
type WithLinks<Text extends string> = Text extends `${string}[${string}]${infer Rest}`
  ? `${string}[${string}]${WithLinks<Rest>}`
  : string

/** A translation of these texts: the same gaps, as many links. */
type Translated<English> = English extends string
  ? WithLinks<English> & WithGaps<GapsOf<English>>
  : { readonly [Name in keyof English]: Translated<English[Name]> }

/** A words file in any language: a missing text, gap or link does not compile. */
export type Words = About & Translated<Omit<typeof en, keyof About>>
