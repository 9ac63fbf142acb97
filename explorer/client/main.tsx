import { type ComponentType, render } from 'preact'
import { once } from '../../shared/prebuilt/pack.ts'
import { catalogue } from './knowledge.ts'
import { Workbench } from './query/workbench.tsx'
import { listEntries } from './search/entries.ts'
import { rank } from './search/rank.ts'
import { listResults } from './search/rows.ts'
import { type Search, SearchBox } from './search/search-box.tsx'

function mount(Component: ComponentType, selector: string): void {
  const element = document.querySelector(selector)
  if (element) render(<Component />, element)
}

const entries = once(() => listEntries(catalogue))

const search: Search = {
  label: 'Search modules, parameters and values',
  prepare: entries,
  find: (text, opened) => listResults(rank(text, entries()), opened),
  sayNothing: text => `Nothing in the catalogue is called ${text}.`,
}

mount(() => <SearchBox search={search} />, '.site-search')
mount(Workbench, '.workbench')
