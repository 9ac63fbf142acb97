import { canonicalEmail } from '../../accounts/address/address.ts'
import { isHostName, isOrigin } from './checks.ts'

/** The only host that browsers take passkeys at without TLS. It is nobody's, so there it has one machine's passkeys alone. */
export const localHost = 'localhost'

/**
 * Domains below which everybody can have a name, as registries and hosts publish them (publicsuffix.org). Browsers know
 * thousands, and refuse a passkey of any; these are those that people deploy to, and mistype.
 */
const publicSuffixes = new Set(
  `ac.uk co.uk gov.uk me.uk org.uk com.au net.au org.au co.nz org.nz co.jp ne.jp or.jp co.kr com.cn com.hk com.tw com.sg
  com.my co.id co.in co.th com.br com.ar com.mx com.co com.tr com.ua com.pl co.il co.za eu.org uk.com us.com de.com
  amplifyapp.com appspot.com azurestaticapps.net azurewebsites.net cloudfront.net firebaseapp.com fly.dev github.io gitlab.io
  herokuapp.com netlify.app ngrok.app ngrok.io ngrok-free.app onrender.com pages.dev run.app up.railway.app vercel.app web.app
  workers.dev`.split(/\s+/),
)

/** What is wrong with a relying party's id (WebAuthn Level 3 §5.1.2), or null. */
export function wrongRpId(text: string): string | null {
  // Addresses of people end in the host names that certificates have, in one spelling.
  if (!isHostName(text) || canonicalEmail(`a@${text}`) !== `a@${text}`)
    return 'it is no host name in its canonical form'
  if (/(?:^|\.)amazonaws\.com(?:\.cn)?$/.test(text)) return 'that address goes with the stack'
  return publicSuffixes.has(text) ? 'everybody can have a name below it' : null
}

/** Lambda has 4 KB for all environment variables of a function. */
const maxOrigins = 1000

/** What is wrong with further origins, or null. None for an empty text. */
export function wrongOrigin(text: string): string | null {
  if (text.length > maxOrigins) return `they have more than ${maxOrigins} characters`
  const items = originsOf(text)
  for (const [i, item] of items.entries()) {
    if (!isSecureOrigin(item) && !isAppOrigin(item)) return `${item || 'an empty text'} is none`
    if (items.indexOf(item) < i) return `${item} is repeated`
  }
  return null
}

export const originsOf = (text: string): string[] => (text === '' ? [] : text.split(',').map(item => item.trim()))

const isSecureOrigin = (text: string): boolean => isOrigin(text) && text.startsWith('https://')

/** An Android app: the SHA-256 of the certificate that signs it, in base64url. */
const isAppOrigin = (text: string): boolean => /^android:apk-key-hash:[\w-]{43}$/.test(text)

/** Whether pages of a host can use the passkeys of a domain (HTML Standard, "is a registrable domain suffix of or is equal to"). */
export const isAtOrBelow = (rpId: string, host: string): boolean => host === rpId || host.endsWith(`.${rpId}`)

const hostOf = (address: string): string => new URL(address).hostname

/** Settings, where each is right by itself. */
interface PasskeySettings {
  API_DOMAIN: string
  PASSKEY_ORIGINS: readonly string[]
  PASSKEY_RP_ID: string
  SITE_URL: string
}

/** Whether the API's own pages can use the passkeys. */
export const fitsApi = ({ PASSKEY_RP_ID: rpId, API_DOMAIN: api }: PasskeySettings): boolean =>
  rpId === localHost || isAtOrBelow(rpId, api)

/** Whether every page that is listed can use the passkeys: apps are bound to the domain by files there. */
export const fitOrigins = ({ PASSKEY_RP_ID: rpId, PASSKEY_ORIGINS: origins }: PasskeySettings): boolean =>
  origins.every(origin => isAppOrigin(origin) || isAtOrBelow(rpId, hostOf(origin)))

/** Whether there is a page that can use the passkeys. */
export const hasPage = (settings: PasskeySettings): boolean =>
  fitsApi(settings) || pagesOf(settings).some(page => isAtOrBelow(settings.PASSKEY_RP_ID, hostOf(page)))

const pagesOf = ({ SITE_URL: site, PASSKEY_ORIGINS: origins }: PasskeySettings): string[] =>
  [site, ...origins].filter(address => /^https?:/.test(address))

/**
 * The origins whose pages and apps may use the passkeys, as exact texts: never all below the domain, of which one sub-domain
 * that is taken over would do.
 *
 * @param baseUrl the API's address
 */
export function passkeyOrigins(settings: PasskeySettings, baseUrl: string): string[] {
  const { PASSKEY_RP_ID: rpId, PASSKEY_ORIGINS: listed, SITE_URL: site } = settings
  if (rpId === '') return []
  const pages = site !== '' && isAtOrBelow(rpId, hostOf(site)) ? [new URL(site).origin] : []
  return [...new Set([...(fitsApi(settings) ? [baseUrl] : []), ...pages, ...listed])]
}
