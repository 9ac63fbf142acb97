import { type ComponentType, render } from 'preact'
import { indexPage } from '../../shared/catalogue/addresses.ts'
import { once } from '../../shared/prebuilt/pack.ts'
import { catalogue } from './knowledge.ts'
import { Workbench } from './query/workbench.tsx'
import { indexWords, searchFor } from './search/by-words.ts'
import { listEntries } from './search/entries.ts'
import { listResults } from './search/rows.ts'
import { type Search, SearchBox } from './search/search-box.tsx'

function mount(Component: ComponentType, selector: string): void {
  const element = document.querySelector(selector)
  if (element) render(<Component />, element)
}

const entries = once(() => listEntries(catalogue))
const index = once(() => indexWords(entries()))

const search: Search = {
  label: 'Search modules, parameters and values',
  prepare: entries,
  find: (text, opened) => listResults(searchFor(text, entries(), index()), opened),
  sayNothing: text => `Nothing in the catalogue is called ${text}.`,
  elsewhere: { href: `${indexPage}#not-described`, says: 'What the catalogue does not describe' },
}

mount(() => <SearchBox search={search} />, '.site-search')
mount(Workbench, '.workbench')
