import { type ComponentType, render } from 'preact'
import { Workbench } from './query/workbench.tsx'
import { SearchBox } from './search/search-box.tsx'

function mount(Component: ComponentType, selector: string): void {
  const element = document.querySelector(selector)
  if (element) render(<Component />, element)
}

mount(SearchBox, '.site-search')
mount(Workbench, '.workbench')

/** The builder is not there yet when the page comes: its anchor stands below it. */
const showBuilder = () => location.hash === '#build' && document.querySelector('#module')?.scrollIntoView()
showBuilder()
addEventListener('hashchange', showBuilder)
