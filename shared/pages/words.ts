import type { Words } from '../words/words.ts'

/** A text in the page's present language: whoever says it with `say` says it anew when the language changes. */
export type Phrase = () => string

/** A phrase, or a value, which is the same in every language. */
export type Saying = string | Phrase

export const textOf = (saying: Saying): string => (typeof saying === 'string' ? saying : saying())

/** The sections that a page's HTML names for its script, and the language's tag. */
type PageWords = { tag: string } & Pick<
  Words['pages'],
  'frame' | 'forms' | 'providers' | 'setup' | 'headings' | 'controls' | 'texts' | 'authorize'
>

type Phrases<Texts> = Texts extends string ? Phrase : { readonly [Name in keyof Texts]: Phrases<Texts[Name]> }

const wordsIn = (page: Document): PageWords => JSON.parse(page.querySelector('#words')?.textContent ?? '')

let present = wordsIn(document)

/** What this page's script says to people: the API's own texts are for programmers. */
export const { tag, frame, forms, providers, setup, headings, controls, texts, authorize } = phrasesOf(() => present)

function phrasesOf<Texts extends object>(read: () => Texts): Phrases<Texts> {
  const phraseOf = (name: keyof Texts) =>
    typeof read()[name] === 'string' ? () => read()[name] : phrasesOf(() => read()[name] as object)
  const names = Object.keys(read()) as (keyof Texts)[]
  return Object.fromEntries(names.map(name => [name, phraseOf(name)])) as Phrases<Texts>
}

/** The language of dates and times: other calendars' years and other digits are not what codes and support have. */
export const locale = (): string => `${tag()}-u-ca-gregory-nu-latn`

const acts = new WeakMap<Node, () => void>()
/** In the order in which they spoke first: a title may read a heading. Whatever the page forgets is forgotten here too. */
let speakers: WeakRef<Node>[] = []

/** Has a node say something now, and anew when the language changes. @param act in place of what it did before */
export function follow(node: Node, act: () => void): void {
  if (!acts.has(node)) speakers.push(new WeakRef(node))
  acts.set(node, act)
  act()
}

/** What a node does when the language changes, for who takes its place for a while. */
export const actOf = (node: Node): (() => void) => acts.get(node) ?? (() => {})

/** Shows a text in an element, an attribute or a text node. */
export function say(node: Node, saying: Saying): void {
  follow(node, () => {
    node.textContent = textOf(saying)
  })
}

/** Has the whole page speak the language of another one, which is the same page. */
export function speakAs(page: Document): void {
  present = wordsIn(page)
  const left = speakers.flatMap(speaker => speaker.deref() ?? [])
  speakers = left.map(node => new WeakRef(node))
  for (const node of left) acts.get(node)?.()
}
