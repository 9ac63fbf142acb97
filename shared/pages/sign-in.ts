/**
 * Where a provider leads people back: to the page in this tab where they left for it. A provider has a path of its own, so none
 * can pass its answers off as another one's (RFC 9700 §4.4.2.1). Nothing is sent from here, and nothing of the address is
 * followed or shown.
 */

import { endTrip } from './trip.ts'

const { search, hash, pathname } = location
// Those that come by a POST are in the fragment: it reaches no server and no log. Beside a query a fragment is what the provider's
// own address had, which a redirect inherits (RFC 9110 §10.2.2).
const said = new URLSearchParams(search || hash.slice(1))
history.replaceState(null, '', pathname)

const back = endTrip(pathname.slice(pathname.lastIndexOf('/') + 1), said)
if (back !== null) location.replace(back)
else {
  const [section, heading] = ['section', 'h1[tabindex]'].map(it => document.querySelector<HTMLElement>(it))
  section?.removeAttribute('hidden')
  heading?.focus()
}
