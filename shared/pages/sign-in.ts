/**
 * Returns people from a provider to the page in this tab that they left. Each provider has its own path, so none can
 * pass its answers off as another's (RFC 9700 §4.4.2.1). Nothing is sent from here, and no part of the address is
 * followed or shown.
 */

import { endTrip } from './trip.ts'

const { search, hash, pathname } = location
// Answers by POST are in the fragment, which reaches no server and no log. Beside a query, the fragment belongs to the
// provider's own address and is inherited by the redirect (RFC 9110 §10.2.2).
const said = new URLSearchParams(search || hash.slice(1))
history.replaceState(null, '', pathname)

const back = endTrip(pathname.slice(pathname.lastIndexOf('/') + 1), said)
if (back !== null) location.replace(back)
else {
  const [section, heading] = ['section', 'h1[tabindex]'].map(it => document.querySelector<HTMLElement>(it))
  section?.removeAttribute('hidden')
  heading?.focus()
}
