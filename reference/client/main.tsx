// The page works without this. It adds the search, and buttons that copy the examples.
import { render } from 'preact'
import { SearchBox } from '../../explorer/client/search/search-box.tsx'
import { addCopyButtons } from './copy.ts'
import { search } from './search.ts'

const place = document.querySelector('.site-search')
if (place) render(<SearchBox search={search} />, place)
addCopyButtons()
