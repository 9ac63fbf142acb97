import { type ComponentType, render } from 'preact'
import { indexPage } from '../../addresses.ts'
import { catalogue } from './knowledge.ts'
import { listedPurposes, type Purposes } from './purposes.ts'
import { Workbench } from './query/workbench.tsx'
import type { openSearch } from './search/find.ts'
import { type Search, SearchBox } from './search/search-box.tsx'

function mount(Component: ComponentType, selector: string): void {
  const element = document.querySelector(selector)
  if (element) render(<Component />, element)
}

/** The paths of the search's files. */
const files = document.querySelector<HTMLElement>('[data-search]')?.dataset ?? {}

async function readPurposes(): Promise<Purposes> {
  const listed = listedPurposes()
  if (listed.size >= catalogue.modules.length) return listed
  const { moduleSentence }: typeof import('../words.ts') = await import(files.sentences ?? '')
  return new Map(catalogue.modules.map(({ name }) => [name, moduleSentence(name)]))
}

let find: Search['find'] | undefined

const search: Search = {
  label: 'Search modules, parameters and values',
  prepare: async () => {
    const loaded: { openSearch: typeof openSearch } = await import(files.search ?? '')
    const purposes = await readPurposes()
    find ??= loaded.openSearch(catalogue, purposes)
  },
  find: (text, opened) => find?.(text, opened) ?? { rows: [], total: 0, shown: 0 },
  sayNothing: text => `Nothing in the catalogue is called ${text}.`,
  elsewhere: { href: `${indexPage}#not-described`, says: 'What the catalogue does not describe' },
}

mount(() => <SearchBox search={search} />, '.site-search')
mount(Workbench, '.workbench')
