import { type ComponentType, render } from 'preact'
import { indexPage } from '../../shared/catalogue/addresses.ts'
import { catalogue } from './knowledge.ts'
import { Workbench } from './query/workbench.tsx'
import type { openSearch } from './search/find.ts'
import { type Search, SearchBox } from './search/search-box.tsx'

function mount(Component: ComponentType, element: HTMLElement | null): void {
  if (element) render(<Component />, element)
}

const place = document.querySelector<HTMLElement>('.site-search')
let find: Search['find'] | undefined

const search: Search = {
  label: 'Search modules, parameters and values',
  prepare: async () => {
    const file: { openSearch: typeof openSearch } = await import(place?.dataset.file ?? '')
    find ??= file.openSearch(catalogue)
  },
  find: (text, opened) => find?.(text, opened) ?? { rows: [], total: 0, shown: 0 },
  sayNothing: text => `Nothing in the catalogue is called ${text}.`,
  elsewhere: { href: `${indexPage}#not-described`, says: 'What the catalogue does not describe' },
}

mount(() => <SearchBox search={search} />, place)
mount(Workbench, document.querySelector('.workbench'))
