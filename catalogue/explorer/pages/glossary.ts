import { html, join, type Markup } from '../../../shared/prebuilt/markup.ts'
import { indexPage, queryNameId } from '../../addresses.ts'
import { queryLevel } from '../../validate/knowledge.ts'
import terms from '../../words/glossary.json' with { type: 'json' }

const termId = (id: string): string => `term-${id}`

/** A word as a link to its entry in the glossary. @param id of the entry */
export const termLink = (id: string, word: string): Markup =>
  html`<a class="term" href="${indexPage}#${termId(id)}">${word}</a>`

/** Words of the glossary as they occur in sentences, with their entries. */
const words: Record<string, string> = {
  'high limit': 'limit',
  continue: 'continue',
  generator: 'generator',
  namespace: 'namespace',
  namespaces: 'namespace',
  prefix: 'prefix',
}
const anyWord = new RegExp(String.raw`\b(${Object.keys(words).join('|')})\b`)

/** A sentence with links to the glossary. */
export const linkTerms = (sentence: string): Markup =>
  html`${sentence.split(anyWord).map(part => (Object.hasOwn(words, part) ? termLink(words[part] ?? '', part) : html`${part}`))}`

export const writeGlossary = (): Markup => html`<section aria-labelledby="glossary">
    <h2 id="glossary">Words</h2>
    <dl class="glossary">
    ${terms.map(({ id, term, says }) => html`<dt id="${termId(id)}">${term}</dt><dd>${says}</dd>`)}
    </dl>
    </section>`

/** The query-level names, which the search links to. */
export const writeQueryNames = (): Markup => html`<details open>
    <summary>Names of the query as a whole</summary>
    <p>They belong to no module, and the catalogue does not describe them.</p>
    <p class="query-names">${join(
      [...queryLevel].map(name => html`<code id="${queryNameId(name)}">${name}</code>`),
      ' ',
    )}</p>
    </details>`
