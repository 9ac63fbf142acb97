import { setupLinkKey } from '../../../accounts/factor/setup-link.ts'
import { passkeyAmr } from '../../../accounts/login/proven.ts'
import { issueLoginTokens } from '../../../accounts/session/opening.ts'
import { grace } from '../../../accounts/session/rotation.ts'
import { issueAccessToken, sign } from '../../../accounts/token/access-token.ts'
import { byPassword, claimsOf, setupAudience } from '../../../accounts/token/claims.ts'
import { drawToken } from '../../../accounts/token/token.ts'
import { providers } from '../providers.ts'
import { stayLoggedIn } from './applications.ts'
import { type Authenticator, authenticator } from './authenticator.ts'
import { allScopes, enterShop, grantCode } from './grants.ts'
import type { Harness } from './harness.ts'
import { connected } from './identities.ts'
import { addPasskey, allowPasskeys } from './passkeys.ts'
import { ada, find, protect, register } from './people.ts'
import { proven } from './proven.ts'

/** An owner of everything that opens an account, and the kinds of account that settings and laws tell apart. */

/** What guards the account beside its password: an app, passkeys alone, or nothing. */
export type Guard = 'an app' | 'passkeys alone' | 'nothing'

/** The device of the passkey, which a prepared world cannot hold. */
export const devices: Record<Guard, Authenticator> = {
  'an app': authenticator(),
  'passkeys alone': authenticator(),
  nothing: authenticator(),
}
devices.nothing.create({ challenge: 'x', user: { id: Buffer.alloc(64).toString('base64url') } })

/** A mailed link that sets up Ada's second factor. @returns its token */
export async function setupLink(harness: Harness): Promise<string> {
  const { counters, now } = harness.deps
  const { id, tokenVersion } = await find(harness)
  const token = drawToken(harness.deps)
  const expiresAt = new Date(now().getTime() + 3_600_000)
  await counters.storeSetupLink(setupLinkKey(token), { id, tokenVersion, expiresAt })
  return token
}

/** A token of Ada's that only sets up a second factor. */
export async function setupToken(harness: Harness): Promise<string> {
  const { config, now } = harness.deps
  const seconds = now().getTime() / 1000
  const account = await find(harness)
  const audience = { ...config, tokenAudience: setupAudience(config) }
  return sign(harness.deps, claimsOf(account, byPassword(harness.deps, account), audience, seconds, seconds + 600))
}

/** Opens Ada's account with all of it, as prepared worlds do. */
export const openHoldings = (harness: Harness, guard: Guard) =>
  harness.prepared(harness.deps, `holdings ${guard}`, async () => {
    const { deps } = harness
    allowPasskeys(harness)
    harness.providers = providers
    await register(harness)
    await harness.operator.verify(await find(harness), deps.now())
    const { identity, confirmed } = await connected(harness)
    const passkey = guard === 'nothing' ? null : (await addPasskey(harness, {}, devices[guard])).passkey.id
    const app = guard === 'an app' ? await protect(harness) : null
    // Old enough that its refresh tokens are rotated, and its tokens older than the next second.
    const before = new Date(deps.now().getTime())
    harness.advance(grace)
    const earlier = { ...harness, deps: { ...deps, now: () => before } }
    const account = await find(harness)
    const owner = await proven(earlier.deps, account)
    const amr = guard === 'passkeys alone' ? passkeyAmr : owner.login.amr
    const login = { ...owner.login, amr }
    const session = (label: string, tab = false) => issueLoginTokens(earlier.deps, { ...owner, login }, { label, tab })
    const [own, other, tab] = [await session('own'), await session('other'), await session('tab', true)]
    const lone = await issueAccessToken(earlier.deps, account, login)
    const { browser, session: browsers } = await stayLoggedIn(earlier, ada.email, { amr })
    const enter = (browserSession: string | null) => enterShop(earlier, allScopes, ada.email, { amr, browserSession })
    const [shop, through] = [await enter(null), await enter(browsers.id)]
    const code = await grantCode(harness, { amr, scope: allScopes })
    const held = {
      account: account.id,
      ...{ own, other, tab, lone: lone.token, shop, through, code },
      cookie: browser.token ?? '',
      ...{ passkey, identity: identity.key, confirmed },
      recoveryCode: app?.recoveryCodes[0],
      appCode: app?.code(),
      setupLink: await setupLink(harness),
      setupToken: await setupToken(earlier),
    }
    harness.queue.length = 0
    return held
  })
export type Holdings = Awaited<ReturnType<typeof openHoldings>>
