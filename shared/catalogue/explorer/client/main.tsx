import { type ComponentType, render } from 'preact'
import { Workbench } from './query/workbench.tsx'
import { SearchBox } from './search/search-box.tsx'

/** Puts a part into its place, on the pages that have one. */
function mount(Part: ComponentType, place: string): void {
  const element = document.querySelector(place)
  if (element) render(<Part />, element)
}

mount(SearchBox, '.site-search')
mount(Workbench, '.workbench')
