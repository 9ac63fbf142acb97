// The page works without this script. It adds the search, copy buttons, and markers of the current section.
import { render } from 'preact'
import { SearchBox } from '../../catalogue/explorer/client/search/search-box.tsx'
import { followSections, keepLanguage, reachTarget } from './place.ts'
import { search } from './search.ts'

const place = document.querySelector('.site-search')
if (place) render(<SearchBox search={search} />, place)
keepLanguage()
followSections()
reachTarget()
addCopyButtons()

/** Adds a copy button to each snippet of code, with a message beside it. */
function addCopyButtons(): void {
  for (const snippet of document.querySelectorAll('.snippet')) {
    const caption = snippet.querySelector('figcaption')
    const code = snippet.querySelector('code')
    if (!caption || !code) continue
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'plain' })
    button.textContent = 'Copy'
    button.setAttribute('aria-label', `Copy: ${snippet.getAttribute('aria-label')}`)
    const outcome = document.createElement('span')
    outcome.setAttribute('role', 'status')
    button.addEventListener('click', async () => {
      outcome.textContent = ''
      outcome.textContent = await copy(code)
    })
    caption.append(outcome, button)
  }
}

async function copy(code: Element): Promise<string> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '')
    return 'Copied'
  } catch {
    // Browsers allow this to pages from https and localhost alone, and people can forbid it.
    getSelection()?.selectAllChildren(code)
    return 'Not copied, but selected: copy it by keyboard or menu.'
  }
}
