/** Common to all forms: send typed values, wait, and put the result into words. */

import { toPlainCode } from '../base/plain-code.ts'
import { fillText, withoutBreaks } from '../words/fill.ts'
import { promptly, within } from './within.ts'
import { actOf, follow, forms, locale, type Phrase, type Saying, say, textOf } from './words.ts'

/** A refusal of the API, or no answer (status 0). */
export interface Refusal {
  ok: false
  status: number
  /** Absent in a gateway's own answers. */
  code?: string | undefined
  /** The wrong members of the body, as JSON pointers. */
  errors?: readonly { pointer: string }[] | undefined
  /** The address of the login, if any. */
  email?: string | undefined
  /** The fault of a passkey, or `breached` of a password. */
  reason?: string | undefined
  /** A token that sets up a second factor. */
  setupToken?: string | undefined
  /** A token of a login at another provider. */
  providerToken?: string | undefined
  /** The provider's display name. */
  provider?: string
  /** Seconds until a retry makes sense; NaN: unknown. */
  wait: number
  /** The login has ended, and the page asks for another. */
  isEnded?: true
  /** The text of a browser's own refusal. */
  words?: Phrase
  /** A person ended it. */
  isChoice?: true
}

export type Answer<T = unknown> = { ok: true; body: T } | Refusal

/** Milliseconds; API Gateway itself gives up after 30 s. */
export const timeout = 35_000

/** Milliseconds. A faster answer seems immediate, and words that flash up disturb. */
const unnoticed = 300

/** Sends a request to the page's own origin. */
export async function send<T>(method: string, path: string, body?: object, token = ''): Promise<Answer<T>> {
  const ask = async () => {
    const response = await fetch(path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeout),
    })
    return { response, read: await response.json().catch(() => null) }
  }
  const { response, read } = (await within(timeout + promptly, ask).catch(() => null)) ?? {}
  if (response?.ok) return { ok: true, body: read }
  const { code, email, errors, reason, setup_token: setupToken, provider_token: providerToken } = read ?? {}
  return {
    ok: false,
    status: response?.status ?? 0,
    code,
    email,
    errors,
    reason,
    setupToken,
    providerToken,
    wait: Number(response?.headers.get('retry-after') || Number.NaN),
  }
}

export function find<E extends Element>(selector: string, kind: new () => E, root: ParentNode = document): E {
  const element = root.querySelector(selector)
  if (!(element instanceof kind)) throw new Error(`the page has no ${selector}`)
  return element
}

export const inputsOf = (form: HTMLFormElement): HTMLInputElement[] =>
  [...form.elements].filter(element => element instanceof HTMLInputElement)

/** Names the Enter key of phones: it leads to the next field that must be filled in, or else sends the form. */
export function nameEnterKeys(form: HTMLFormElement): void {
  const typed = inputsOf(form).filter(({ hidden, type }) => !hidden && /^(?:email|password|text)$/.test(type))
  for (const [i, input] of typed.entries()) {
    const next = typed.slice(i + 1).find(({ required }) => required)
    input.enterKeyHint = next ? 'next' : 'go'
    input.addEventListener('keydown', event => {
      // Some phones would send the form, whatever the key is called.
      if (event.key !== 'Enter' || event.isComposing || next?.value !== '') return
      event.preventDefault()
      next.focus()
    })
  }
}

// On the whole page, because forms ask for a code later.
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === 'code') target.value = toPlainCode(target.value)
})

/** Shows the parts of a page's state (`data-state`), and makes its heading the title. @returns the heading */
export function showState(state: string): HTMLElement {
  for (const part of document.querySelectorAll<HTMLElement>('[data-state]')) {
    part.hidden = !part.dataset.state?.split(' ').includes(state)
  }
  const heading = find(`[data-state~="${state}"] h1`, HTMLElement)
  setTitle(() => heading.textContent)
  scrollTo(0, 0)
  return heading
}

export function setTitle(heading: Saying): void {
  say(find('title', HTMLTitleElement), () => `${withoutBreaks(textOf(heading))} · ${product}`)
}

/** Announces something to screen readers. */
export function announce(words: Saying): void {
  say(find('.unseen[role="status"]', HTMLElement), words)
}

export const submitOf = (form: HTMLFormElement): HTMLButtonElement => find('[type="submit"]', HTMLButtonElement, form)

/** A wait for an answer, shown on the button that asked for it. */
export interface Waiting {
  /** Says what is waited for. */
  show(words: Phrase): void
  /** Ends it, once. */
  end(): void
}

/** Marks a button and its form as busy. Nothing is `disabled`, which would move the focus. */
function wait(button: HTMLButtonElement): Waiting {
  const { form } = button
  const busy = form ?? button
  const sayWords = actOf(button)
  const set = (isBusy: boolean): void => {
    busy.ariaBusy = String(isBusy)
    for (const sending of form?.querySelectorAll<HTMLElement>('[data-sends], [type="submit"]') ?? [button]) {
      // A form may end before its button takes presses (settle.ts).
      sending.ariaDisabled = String(isBusy || sending.dataset.settles === '')
    }
    for (const input of form ? inputsOf(form) : []) input.readOnly = isBusy
  }
  const show = (words: Phrase): void => {
    clearTimeout(timer)
    // It keeps its width, so that its neighbours do not move, unless the window becomes narrower.
    button.style.minWidth ||= `min(${button.offsetWidth}px, 100%)`
    say(button, words)
    announce(words)
  }
  const timer = setTimeout(show, unnoticed, forms.moment)
  let isOver = false
  set(true)
  return {
    show(words) {
      if (!isOver) show(words)
    },
    end() {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      set(false)
      follow(button, sayWords)
      announce('')
      button.style.minWidth = ''
    },
  }
}

/** Waits for an answer to a pressed button, which is given back whatever comes. */
export async function waitFor<T>(button: HTMLButtonElement, ask: (waiting: Waiting) => Promise<T>): Promise<T> {
  const waiting = wait(button)
  try {
    return await ask(waiting)
  } finally {
    waiting.end()
  }
}

/** An error in words for people. A gateway's own answers have no code. */
export function describe({ status, code, reason, wait, words, provider = '' }: Refusal): Phrase {
  if (words) return words
  if (status === 0) return forms.unreachable
  if (code === 'password-too-common' && reason === 'breached') return forms.breached
  const known = code ?? (status === 429 ? 'too-many-requests' : 'internal')
  const texts: Partial<Record<string, Phrase>> = { ...forms.refusals, ...(!(wait > 0) && forms.soon) }
  const text = (Object.hasOwn(texts, known) && texts[known]) || forms.refusals.internal
  return () =>
    fillText(text(), { status: String(status), wait: wait > 0 ? whenToRetry(wait) : '', product, name: provider })
}

export const product = find('.brand', HTMLElement).textContent

function whenToRetry(seconds: number): string {
  const relative = new Intl.RelativeTimeFormat(locale())
  if (seconds <= 90) return relative.format(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? relative.format(minutes, 'minute') : relative.format(Math.ceil(minutes / 60), 'hour')
}
