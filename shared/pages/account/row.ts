import { find, submitOf } from '../form.ts'
import { alertOf, clearErrors, showAbove } from '../mistakes.ts'
import { button, element } from '../nodes.ts'
import { hidePasswords } from '../reveal.ts'
import { controls, type Phrase, texts } from '../words.ts'
import { forgetSecrets } from './fields.ts'
import { forgetNews, giveBack, isBusy, tell } from './form.ts'

/** The parts of a row. */
interface Parts {
  heading: Phrase | Node
  /** The label of the button that opens its form. */
  opener?: Phrase
  kind?: 'danger'
  /** Hide the summary while its form is open. */
  isReplaced?: true
  /** The element: an item, if the rows are a list. */
  as?: 'div' | 'li'
}

/** A fact about the account, with a button that a form replaces, and the form's result. */
export interface Row {
  root: HTMLElement
  /** Shows a state beside the heading. */
  mark(state: HTMLElement): void
  /** Shows the fact. */
  show(...facts: Node[]): void
  /**
   * Sets the form, or a part with one, that the button opens; replaces an open one.
   *
   * @param cancelled called when "Cancel" has closed it
   */
  hold(panel: HTMLElement, cancelled?: () => void): void
  /** Opens the form, where its button is. */
  open(): void
  /** Adds a button before the other, which opens another form. @returns the button */
  offer(words: Phrase, panel: HTMLElement): HTMLButtonElement
  /** Closes the form after success, and leaves the focus to its caller. */
  end(): void
  /** Closes the form after success, with a message. */
  finish(news?: Phrase | Node): void
  /** Adds what acts at once, beside the button that opens the form. */
  act(...doing: Node[]): void
  /** Closes the form after success, and shows something in place of the button, even while other rows' forms are open. */
  pin(shown: HTMLElement): void
}

/** The rows with open forms: one, and hidden ones that await an answer. */
const opened = new Set<{ root: HTMLElement; close(): boolean }>()

/** Replaces a part's content. The focus stays on a remaining element, or moves to a heading, if one is given. */
export function showAnew(part: HTMLElement, shown: readonly Node[], heading: () => HTMLElement | null): void {
  const focused = part.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null
  part.replaceChildren(...shown)
  if (focused) (focused.isConnected ? focused : heading())?.focus()
}

export function makeRow({ heading, opener: words, kind, isReplaced, as = 'div' }: Parts): Row {
  const fact = element('div', { class: 'fact' })
  const news = element('output', { class: 'good' })
  const opener = button(words ?? '', () => open(), `plain small ${kind ?? ''}`)
  opener.hidden = words === undefined
  const title = element('h2', { tabindex: '-1' }, heading)
  const head = element('div', { class: 'head' }, title)
  const actions = element('div', { class: 'actions' }, opener)
  const root: HTMLElement = element(as, { class: 'row' }, head, fact, actions, news)
  let panel: HTMLElement | null = null
  const others: HTMLButtonElement[] = []
  /** The last opened form, and its button. */
  let shown: HTMLElement | null = null
  let current = opener
  let whenCancelled = () => {}
  const self = { root, close }

  root.addEventListener('keydown', event => {
    if (event.key === 'Escape' && !event.isComposing && opened.has(self)) cancel()
  })

  function open(by = opener, form = panel): void {
    if (form === null) return
    if ([...opened].some(row => !row.close() && row.root.isConnected)) {
      sayBusy(by)
      return
    }
    opened.add(self)
    current = by
    shown = form
    forgetNews()
    for (const one of [opener, ...others]) one.hidden = true
    fact.hidden = isReplaced ?? false
    news.before(form)
    // A step before all fields, or a field; the first may be for password managers alone.
    find('[tabindex], input:not([hidden]), select', HTMLElement, form).focus()
  }

  /** Keeps typed values, except passwords. @returns false while the form awaits an answer */
  function close(): boolean {
    const form = shown && formIn(shown)
    if (form && isBusy(form) && !giveBack(form)) return false
    if (form) {
      clearErrors(form)
      hidePasswords(form)
      forgetSecrets(form)
      form.dispatchEvent(new Event('close'))
    }
    opened.delete(self)
    shown?.remove()
    opener.hidden = words === undefined
    for (const other of others) other.hidden = false
    fact.hidden = false
    return true
  }

  /** Closes the form; while it waits for a device, only gives it back. */
  function cancel(pressed?: HTMLElement): void {
    const form = shown && formIn(shown)
    if (form === null || giveBack(form)) return
    if (close()) {
      whenCancelled()
      current.focus()
    } else sayBusy(pressed ?? submitOf(form))
  }

  function end(): void {
    if (shown) formIn(shown).reset()
    close()
  }

  function prepare(form: HTMLElement): void {
    form.classList.add('panel')
    // After the other buttons, and before the message beside them.
    find('[type="submit"]', HTMLElement, form).parentElement?.lastElementChild?.before(button(controls.cancel, cancel))
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
      prepare(panel)
      if (isOpen) open()
    },
    open() {
      if (root.isConnected && !opener.hidden) open()
    },
    offer(words, form) {
      const other = button(words, () => open(other, form), 'plain small')
      prepare(form)
      others.push(other)
      opener.before(other)
      return other
    },
    end,
    finish(told) {
      end()
      if (told) tell(news, told)
      const back = current.hidden ? title : current
      back.focus()
    },
    act: (...doing) => actions.append(...doing),
    pin(once) {
      end()
      opener.hidden = true
      once.classList.add('panel')
      news.before(once)
    },
  }
}

/** Says why a button does nothing. */
const sayBusy = (pressed: HTMLElement): void => showAbove(pressed, alertOf(texts.sending))

const formIn = (panel: HTMLElement): HTMLFormElement =>
  panel instanceof HTMLFormElement ? panel : find('form', HTMLFormElement, panel)
