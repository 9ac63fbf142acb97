import { find, product } from '../form.ts'
import { button, element, filled } from '../nodes.ts'
import { controls, frame, headings, texts } from '../words.ts'

const header = find('header', HTMLElement)
const brand = [...header.childNodes]

/** Shows links beside the product's name. */
export const showWays = (ways: Node[]): void => header.replaceChildren(...brand, ...ways)

/** The link back to the application, if there is one. */
export const toApp = (url: string): Node[] =>
  url ? [element('a', { href: url, class: 'to-app' }, filled(frame.continue, { product }))] : []

interface Parts {
  email: string
  /** The fragments of the sections. */
  sections: readonly (keyof typeof headings)[]
  current: string
  appUrl: string
  logOut(pressed: HTMLButtonElement): void
}

/** The logged-in person, the logout, and the links between sections. */
export const navigation = ({ email, sections, current, appUrl, logOut }: Parts): Node[] => [
  element('span', { class: 'who' }, element('bdi', {}, email)),
  button(controls.logOut, logOut),
  element(
    'nav',
    { 'aria-label': texts.navigation },
    ...sections.map(name =>
      element('a', { href: `#${name}`, ...(name === current && { 'aria-current': 'page' }) }, headings[name]),
    ),
    ...toApp(appUrl),
  ),
]
