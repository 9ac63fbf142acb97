import { canonicalEmail } from '../../accounts/address/address.ts'
import { isHostName, isOrigin } from './checks.ts'

/** The only host where browsers allow passkeys without TLS. It is nobody's: its passkeys belong to one machine. */
export const localHost = 'localhost'

/**
 * Domains that let anybody have a name below them (publicsuffix.org). Browsers know thousands, and refuse passkeys for
 * all; these are common targets of deploys and typing mistakes.
 */
const publicSuffixes = new Set(
  `ac.uk co.uk gov.uk me.uk org.uk com.au net.au org.au co.nz org.nz co.jp ne.jp or.jp co.kr com.cn com.hk com.tw com.sg
  com.my co.id co.in co.th com.br com.ar com.mx com.co com.tr com.ua com.pl co.il co.za eu.org uk.com us.com de.com
  amplifyapp.com appspot.com azurestaticapps.net azurewebsites.net cloudfront.net firebaseapp.com fly.dev github.io gitlab.io
  herokuapp.com netlify.app ngrok.app ngrok.io ngrok-free.app onrender.com pages.dev run.app up.railway.app vercel.app web.app
  workers.dev`.split(/\s+/),
)

/** The complaint about a relying party's id (WebAuthn Level 3 §5.1.2), or null. */
export function wrongRpId(text: string): string | null {
  // People's addresses end in the host names of certificates, in one spelling.
  if (!isHostName(text) || canonicalEmail(`a@${text}`) !== `a@${text}`)
    return 'it is no host name in its canonical form'
  if (/(?:^|\.)amazonaws\.com(?:\.cn)?$/.test(text)) return 'that address goes with the stack'
  return publicSuffixes.has(text) ? 'everybody can have a name below it' : null
}

/** A function's environment variables share 4 KB. */
const maxOrigins = 1000

/** The complaint about further origins, or null. None for an empty text. */
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

/** Settings that are valid by themselves. */
interface PasskeySettings {
  API_DOMAIN: string
  PASSKEY_ORIGINS: readonly string[]
  PASSKEY_RP_ID: string
  SITE_URL: string
}

/** Whether the API's own pages can use the passkeys. */
export const fitsApi = ({ PASSKEY_RP_ID: rpId, API_DOMAIN: api }: PasskeySettings): boolean =>
  rpId === localHost || isAtOrBelow(rpId, api)

/** Whether every listed page can use the passkeys: files on the domain bind apps to it. */
export const fitOrigins = ({ PASSKEY_RP_ID: rpId, PASSKEY_ORIGINS: origins }: PasskeySettings): boolean =>
  origins.every(origin => isAppOrigin(origin) || isAtOrBelow(rpId, hostOf(origin)))

/** Whether any page can use the passkeys. */
export const hasPage = (settings: PasskeySettings): boolean =>
  fitsApi(settings) || pagesOf(settings).some(page => isAtOrBelow(settings.PASSKEY_RP_ID, hostOf(page)))

const pagesOf = ({ SITE_URL: site, PASSKEY_ORIGINS: origins }: PasskeySettings): string[] =>
  [site, ...origins].filter(address => /^https?:/.test(address))

/**
 * The origins whose pages and apps may use the passkeys, as exact texts: if all below the domain could, one hijacked
 * sub-domain would be enough.
 *
 * @param baseUrl the API's address
 */
export function passkeyOrigins(settings: PasskeySettings, baseUrl: string): string[] {
  const { PASSKEY_RP_ID: rpId, PASSKEY_ORIGINS: listed, SITE_URL: site } = settings
  if (rpId === '') return []
  const pages = site !== '' && isAtOrBelow(rpId, hostOf(site)) ? [new URL(site).origin] : []
  return [...new Set([...(fitsApi(settings) ? [baseUrl] : []), ...pages, ...listed])]
}
