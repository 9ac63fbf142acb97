/** Other providers on login pages: their buttons, and the failures of logins there. */

import { fillText } from '../words/fill.ts'
import type { Refusal } from './form.ts'
import { button, element, paragraph } from './nodes.ts'
import { canLeaveFor, type Luggage, leaveFor, type Outcome, type Provider } from './trip.ts'
import { type Phrase, providers as words } from './words.ts'

const listed = document.querySelector<HTMLElement>('[data-providers]')?.dataset.providers ?? '[]'

const all: readonly Provider[] = JSON.parse(listed)

/** The providers that this page can be left for. */
export const providers = all.filter(canLeaveFor)

/** A provider's display name. */
export const providerName = (id: string): string => all.find(provider => provider.id === id)?.name ?? id

/** A text about a provider. */
export const phraseAbout =
  (text: Phrase, name: string): Phrase =>
  () =>
    fillText(text(), { name })

/** A button for each; null without any. @param luggage the page's state for the return */
export function providerButtons(luggage: () => Luggage): HTMLElement | null {
  if (providers.length === 0) return null
  const buttons = providers.map(provider =>
    button(phraseAbout(words.continueWith, provider.name), () => leaveFor(provider, luggage())),
  )
  return element('div', { class: 'providers' }, paragraph(words.or, 'or'), ...buttons)
}

/** The refusal for a failed trip. */
export function failureOf(came: Outcome & { failure: unknown }): Refusal {
  const isChoice = came.failure === 'canceled'
  const said = phraseAbout(isChoice ? words.notLoggedIn : words.providerProblem, providerName(came.provider))
  return { ok: false, status: 0, wait: Number.NaN, words: said, ...(isChoice && { isChoice }) }
}
