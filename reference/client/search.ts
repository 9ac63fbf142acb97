import type { Search } from '../../catalogue/explorer/client/search/search-box.tsx'
import { once } from '../../shared/prebuilt/pack.ts'
import { openSearch, type Place } from './find.ts'

/** The search over the places of the page: those with `data-kind`. */
const open = once(() =>
  openSearch(
    [...document.querySelectorAll<HTMLElement>('[data-kind]')].map((element): Place => {
      const { id, dataset, textContent: content } = element
      const textOf = (selector: string, within: Element | null) => within?.querySelector(selector)?.textContent ?? ''
      const kind = dataset.kind ?? ''
      const text = textOf('.anchor', element)
      const section = textOf('h2', element.closest('section'))
      return { id, text, kind, section, content, ...(kind === 'not here' && { instead: textOf('td', element) }) }
    }),
  ),
)

export const search: Search = {
  label: 'Search operations, codes, shapes and settings',
  prepare: open,
  find: typed => open()(typed),
  sayNothing: typed => `Nothing here says ${typed}.`,
}
