import { type ComponentType, render } from 'preact'
import { indexPage } from '../../addresses.ts'
import { catalogue } from './knowledge.ts'
import { loadParts } from './late.ts'
import { Workbench } from './query/workbench.tsx'
import type { openSearch } from './search/find.ts'
import { type Search, SearchBox } from './search/search-box.tsx'

function mount(Component: ComponentType, selector: string): void {
  const element = document.querySelector(selector)
  if (element) render(<Component />, element)
}

/** The path of the search's file. */
const file = document.querySelector<HTMLElement>('[data-search]')?.dataset.search ?? ''
let find: Search['find'] | undefined

const search: Search = {
  label: 'Search modules, parameters and values',
  prepare: async () => {
    const loaded: { openSearch: typeof openSearch } = await import(file)
    const parts = await loadParts()
    find ??= loaded.openSearch(catalogue, parts?.extensions ?? new Map())
  },
  find: (text, opened) => find?.(text, opened) ?? { rows: [], total: 0, shown: 0 },
  sayNothing: text => `Nothing in the catalogue is called ${text}.`,
  elsewhere: { href: `${indexPage}#not-described`, says: 'What the catalogue does not describe' },
}

mount(() => <SearchBox search={search} />, '.site-search')
mount(Workbench, '.workbench')
