import { html, join, type Markup } from '../../../shared/prebuilt/markup.ts'
import { indexPage, queryNameId } from '../../addresses.ts'
import { queryLevel } from '../../validate/knowledge.ts'
import terms from '../../words/glossary.json' with { type: 'json' }

const termId = (id: string): string => `term-${id}`

/** A word as a link to what the glossary says of it. @param id of an entry in the glossary */
export const termLink = (id: string, word: string): Markup =>
  html`<a class="term" href="${indexPage}#${termId(id)}">${word}</a>`

/** Words that the glossary explains, as they stand in sentences, and the entry of each. */
const words: Record<string, string> = {
  'high limit': 'limit',
  continue: 'continue',
  generator: 'generator',
  namespace: 'namespace',
  namespaces: 'namespace',
  prefix: 'prefix',
}
const anyWord = new RegExp(String.raw`\b(${Object.keys(words).join('|')})\b`)

/** A sentence in which the words of the glossary lead there. */
export const linkTerms = (sentence: string): Markup =>
  html`${sentence.split(anyWord).map(part => (Object.hasOwn(words, part) ? termLink(words[part] ?? '', part) : html`${part}`))}`

export const writeGlossary = (): Markup => html`<section aria-labelledby="glossary">
    <h2 id="glossary">Words</h2>
    <dl class="glossary">
    ${terms.map(({ id, term, says }) => html`<dt id="${termId(id)}">${term}</dt><dd>${says}</dd>`)}
    </dl>
    </section>`

/** The names that belong to no module, so that the search has a place to lead to. */
export const writeQueryNames = (): Markup => html`<details open>
    <summary>Names of the query as a whole</summary>
    <p>They belong to no module, and the catalogue does not describe them.</p>
    <p class="query-names">${join(
      [...queryLevel].map(name => html`<code id="${queryNameId(name)}">${name}</code>`),
      ' ',
    )}</p>
    </details>`
