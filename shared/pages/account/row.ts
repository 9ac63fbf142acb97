import { find } from '../form.ts'
import { clearErrors } from '../mistakes.ts'
import { button, element, spoken } from '../nodes.ts'
import { hidePasswords } from '../reveal.ts'
import { controls, type Phrase } from '../words.ts'
import { forgetSecrets } from './fields.ts'
import { isBusy } from './form.ts'

/** What a row is made of. */
interface Parts {
  heading: Phrase | Node
  /** The words on the button that opens its form. */
  opener?: Phrase
  kind?: 'danger'
  /** The form shows what holds, or there is nothing to see: it takes the place of the fact. */
  isReplaced?: true
  /** The element: an item, where the rows are a list. */
  as?: 'div' | 'li'
}

/** A fact about the account, with a button that opens a form in place of itself, and what came of it. */
export interface Row {
  root: HTMLElement
  /** Says in a word beside the heading what holds. */
  mark(state: HTMLElement): void
  /** Says what holds. */
  show(...facts: Node[]): void
  /**
   * Takes a form, or a part with one, which the button opens; if one is open already, it takes its place.
   *
   * @param cancelled called when its "Cancel" has closed it
   */
  hold(panel: HTMLElement, cancelled?: () => void): void
  /** Closes the form after it has done its work, and says so. */
  finish(news?: Phrase | Node): void
  /** Takes back what `finish` said, because it no longer holds. */
  retract(): void
  /** Shows something in place of the button, which stays when other rows open their forms. */
  pin(shown: HTMLElement): void
}

/** The rows whose forms are open: one, and those out of sight that still wait for an answer. */
const opened = new Set<{ root: HTMLElement; close(): boolean }>()

/** Shows something in place of what a part showed. The focus stays on what stays, and else goes to a heading. */
export function showAnew(part: HTMLElement, shown: readonly Node[], heading: () => HTMLElement): void {
  const focused = part.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null
  part.replaceChildren(...shown)
  if (focused) (focused.isConnected ? focused : heading()).focus()
}

export function makeRow({ heading, opener: words, kind, isReplaced, as = 'div' }: Parts): Row {
  const fact = element('div', { class: 'fact' })
  const news = element('output', { class: 'good' })
  const opener = button(words ?? '', open, `plain small opener ${kind ?? ''}`)
  opener.hidden = words === undefined
  const title = element('h2', { tabindex: '-1' }, heading)
  const head = element('div', { class: 'head' }, title)
  const root: HTMLElement = element(as, { class: 'row' }, head, fact, opener, news)
  let panel: HTMLElement | null = null
  let whenCancelled = () => {}
  const self = { root, close }

  root.addEventListener('keydown', event => {
    if (event.key === 'Escape' && !event.isComposing && opened.has(self)) cancel()
  })

  function open(): void {
    if (panel === null || [...opened].some(row => !row.close() && row.root.isConnected)) return
    opened.add(self)
    news.replaceChildren()
    opener.hidden = true
    fact.hidden = isReplaced ?? false
    news.before(panel)
    // A step that comes before all fields, or a field; the first may be for password managers alone.
    find('[tabindex], input:not([hidden]), select', HTMLElement, panel).focus()
  }

  /** What was typed stays in it, but for passwords. @returns false while the form waits for its answer */
  function close(): boolean {
    const form = panel && formIn(panel)
    if (form && isBusy(form)) return false
    if (form) {
      clearErrors(form)
      hidePasswords(form)
      forgetSecrets(form)
    }
    opened.delete(self)
    panel?.remove()
    opener.hidden = words === undefined
    fact.hidden = false
    return true
  }

  function cancel(): void {
    if (!close()) return
    whenCancelled()
    opener.focus()
  }

  return {
    root,
    mark: state => head.replaceChildren(title, state),
    show: (...facts) => showAnew(fact, facts, () => title),
    hold(next, cancelled = () => {}) {
      const isOpen = opened.delete(self)
      panel?.remove()
      panel = next
      whenCancelled = cancelled
      panel.classList.add('panel')
      find('[type="submit"]', HTMLElement, panel).after(button(controls.cancel, cancel))
      if (isOpen) open()
    },
    finish(told) {
      if (panel) formIn(panel).reset()
      close()
      news.replaceChildren(typeof told === 'function' ? spoken(told) : (told ?? ''))
      opener.focus()
    },
    retract: () => news.replaceChildren(),
    pin(shown) {
      opener.hidden = true
      shown.classList.add('panel')
      news.before(shown)
    },
  }
}

const formIn = (panel: HTMLElement): HTMLFormElement =>
  panel instanceof HTMLFormElement ? panel : find('form', HTMLFormElement, panel)
