import type { Words } from '../words/words.ts'

/** A text in the page's present language: nodes set by `say` change with the language. */
export type Phrase = () => string

/** A phrase, or a value, which is the same in every language. */
export type Saying = string | Phrase

export const textOf = (saying: Saying): string => (typeof saying === 'string' ? saying : saying())

/** The sections that a page's HTML names for its script, and the language's tag. */
type PageWords = { tag: string } & Pick<
  Words['pages'],
  'frame' | 'forms' | 'resetLogins' | 'providers' | 'setup' | 'headings' | 'controls' | 'texts' | 'authorize'
>

type Phrases<Texts> = Texts extends string ? Phrase : { readonly [Name in keyof Texts]: Phrases<Texts[Name]> }

const wordsIn = (page: Document): PageWords => JSON.parse(page.querySelector('#words')?.textContent ?? '')

let present = wordsIn(document)

/** The words of this page's script: the API's own texts are for programmers. */
export const { tag, frame, forms, providers, setup, headings, controls, texts, authorize, resetLogins } = phrasesOf(
  () => present,
)

function phrasesOf<Texts extends object>(read: () => Texts): Phrases<Texts> {
  const phraseOf = (name: keyof Texts) =>
    typeof read()[name] === 'string' ? () => read()[name] : phrasesOf(() => read()[name] as object)
  const names = Object.keys(read()) as (keyof Texts)[]
  return Object.fromEntries(names.map(name => [name, phraseOf(name)])) as Phrases<Texts>
}

/** The locale of dates and times: with the calendar and digits of codes and of the support desk. */
export const locale = (): string => `${tag()}-u-ca-gregory-nu-latn`

const acts = new WeakMap<Node, () => void>()
/** In the order in which they were set: a title may read a heading. Removed nodes are dropped. */
let speakers: WeakRef<Node>[] = []

/** Runs an action now, and again when the language changes. @param act replaces the node's former action */
export function follow(node: Node, act: () => void): void {
  if (!acts.has(node)) speakers.push(new WeakRef(node))
  acts.set(node, act)
  act()
}

/** A node's action on a change of language, for a temporary replacement. */
export const actOf = (node: Node): (() => void) => acts.get(node) ?? (() => {})

/** Shows a text in an element, an attribute or a text node. */
export function say(node: Node, saying: Saying): void {
  follow(node, () => {
    node.textContent = textOf(saying)
  })
}

/** Changes the page's language to that of another copy of it. */
export function speakAs(page: Document): void {
  present = wordsIn(page)
  const left = speakers.flatMap(speaker => speaker.deref() ?? [])
  speakers = left.map(node => new WeakRef(node))
  for (const node of left) acts.get(node)?.()
}
