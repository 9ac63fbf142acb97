import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { bytesOfBase32 } from '../../accounts/factor/codes.ts'
import { codeOf, stepOf } from '../../accounts/factor/totp.ts'
import { rows } from '../../api/needs.ts'
import { endpointNames, membersOf, requestLine } from '../support/api/rows.ts'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import { type Person, startTarget } from '../support/attack/target.ts'
import { shopQuery } from '../support/clients.ts'
import { type Authenticator, authenticator, type Lies } from '../support/service/authenticator.ts'
import { startLyingProvider } from '../support/service/lying-provider.ts'
import { listedIn } from '../support/system/providers.ts'

/**
 * A thief with one stolen thing, and the owner's response: under each setting of the second factor, each row of the
 * table in docs/security.md.
 */

const liar = await startLyingProvider(() => new Date())
afterAll(() => liar[Symbol.asyncDispose]())

type Target = ReturnType<typeof startTarget>
type Answer = Awaited<ReturnType<Target['post']>>
type Headers = { authorization: string }

/** The code of a refusal, with its reason if it has one, or the status of a success. */
const outcome = ({ status, body }: Answer) =>
  status < 400 ? status : [body.code, body.reason].filter(Boolean).join(' ')

interface Owner extends Person {
  /** Unused recovery codes, if they have an app. */
  codes: string[]
  /** The authenticator of their passkey, if they have one. */
  device: Authenticator | null
}

/** Endpoints that require a proof from a logged-in person. */
const proofs = endpointNames.filter(
  name => rows[name].access === 'bearer' && membersOf(name).includes('assertion') && rows[name].body !== undefined,
)

/** Acts over HTTP, of thieves and owners alike. */
function actsOn(target: Target) {
  /** The token of the nth link to a page mailed to an address. */
  async function linkTo(page: string, { email }: Pick<Person, 'email'>, nth = 1): Promise<string> {
    for (;;) {
      const links = target.system.inbox
        .list()
        .filter(({ destination }) => destination.to.includes(email))
        .flatMap(({ body }) => new RegExp(`/${page}\\?token=([\\w-]+)`).exec(body.text ?? '')?.[1] ?? [])
      for (const link of links) target.secrets.add(link)
      const link = links[nth - 1]
      if (link) return link
      await new Promise<void>(resolve => {
        const end = target.system.inbox.onArrival(() => {
          end()
          resolve()
        })
      })
    }
  }
  const linksTo = (page: string, { email }: Pick<Person, 'email'>): number =>
    target.system.inbox
      .list()
      .filter(({ destination, body }) => destination.to.includes(email) && body.text?.includes(`/${page}?token=`))
      .length

  const device = () => authenticator({ origin: new URL(target.system.baseUrl).origin })
  const headersOf = (token: string): Headers => {
    target.secrets.add(token)
    return { authorization: `Bearer ${token}` }
  }

  const logIn = ({ email, password }: Person, more: object = {}) =>
    target.post('/auth/login', { email, password, session: {}, ...more })
  const enter = async (person: Person, more: object = {}): Promise<Headers> => {
    const answer = await logIn(person, more)
    expect(outcome(answer)).toBe(200)
    return headersOf(answer.body.access_token)
  }
  const logInBy = async (held: Authenticator, lies: Lies = {}) => {
    const { body } = await target.post('/auth/passkeys/login-options', undefined)
    return target.post('/auth/passkeys/login', { assertion: held.get(body, lies), session: {} })
  }
  /** @param purpose the path of an endpoint after `/auth/` */
  const assert = async (purpose: string, headers: Headers, held: Authenticator, lies: Lies = {}) => {
    const { body } = await target.post('/auth/passkeys/proof-options', { for: purpose }, headers)
    return { assertion: held.get(body, lies) }
  }

  /** Adds a passkey, as far as possible. @param proof a password and a code, or an assertion */
  async function add(headers: Headers, proof: object, held = device()) {
    const setup = await target.post('/auth/passkeys/setup', proof, headers)
    if (outcome(setup) !== 200) return { added: outcome(setup), held }
    const body = { credential: held.create(setup.body), label: 'Added' }
    return { added: outcome(await target.post('/auth/passkeys/confirm', body, headers)), held }
  }

  /** Requests a link, and chooses a password with it. @param nth of the reset links mailed to the address */
  async function reset(person: Person, nth: number, more: object = {}): Promise<Person> {
    await target.post('/auth/forgot-password', { email: person.email })
    return choose(person, nth, more)
  }
  async function choose({ email }: Person, nth: number, more: object = {}): Promise<Person> {
    const { password } = target.person()
    const body = { token: await linkTo('reset-password', { email }, nth), new_password: password, ...more }
    expect(outcome(await target.post('/auth/reset-password', body))).toBe(200)
    return { email, password }
  }

  /** Sets an app up. @param headers of a login, or of a setup token @returns recovery codes, and a login's header fields */
  async function setUpApp({ password }: Person, headers: Headers) {
    const setup = await target.post('/auth/second-factor/setup', { password }, headers)
    const code = codeOf(bytesOfBase32(setup.body.secret), stepOf(new Date()))
    const { body } = await target.post('/auth/second-factor/confirm', { code }, headers)
    const codes: string[] = body.recovery_codes
    for (const each of codes) target.secrets.add(each)
    return { codes, headers: headersOf(body.access_token) }
  }

  /** A verified person with the required things, and a passkey on their own device. */
  async function owner({ app = false, passkey = false }, isRequired: boolean): Promise<Owner> {
    const person = await target.register()
    await target.post('/auth/verify-email', { token: await linkTo('verify-email', person) })
    if (!app && !passkey) return { ...person, codes: [], device: null }
    let headers: Headers
    let codes: string[] = []
    if (isRequired) {
      await logIn(person)
      const refused = await logIn(person, { mail_token: await linkTo('second-factor', person) })
      ;({ codes, headers } = await setUpApp(person, headersOf(refused.body.setup_token)))
    } else {
      headers = await enter(person)
      if (app) ({ codes, headers } = await setUpApp(person, headers))
    }
    const { password } = person
    const { added, held } = passkey ? await add(headers, { password, code: codes.pop() }) : { added: 200, held: null }
    expect(added).toBe(200)
    // A person with passkeys from before the switch has no app.
    if (!app && isRequired) await target.operator.removeFactor(await target.stored(person), new Date())
    return { ...person, codes: app ? codes : [], device: held }
  }

  /** The labels of passkeys, the password and the factor, which a thief would change. */
  const kept = async (person: Pick<Person, 'email'>) => {
    const { passkeys = {}, password_hash, totp_secret, is_verified } = await target.stored(person)
    return { passkeys: Object.keys(passkeys), password_hash, totp_secret, is_verified }
  }

  const undo = (token: string) => target.post('/auth/undo', { token })

  return {
    ...{
      linkTo,
      linksTo,
      device,
      headersOf,
      logIn,
      enter,
      logInBy,
      assert,
      add,
      reset,
      choose,
      setUpApp,
      owner,
      kept,
      undo,
    },
  }
}

describe.each(['off', 'optional', 'required'] as const)('where a second factor is %s', SECOND_FACTOR => {
  const settings = { PASSKEY_RP_ID: 'localhost', SECOND_FACTOR }
  const target = startTarget(
    async directory => ({ ...settings, SIGN_IN_PROVIDERS: await listedIn(directory, [liar.provider]) }),
    { concurrency: 8 },
  )
  const isRequired = SECOND_FACTOR === 'required'
  const isOff = SECOND_FACTOR === 'off'
  const { linkTo, linksTo, headersOf, logIn, enter, logInBy, assert, add, reset, choose, kept, undo, ...act } =
    actsOn(target)
  const owner = (has: { app?: boolean; passkey?: boolean }) => act.owner(has, isRequired)

  // Most of their time is the wait for mails.
  describe.concurrent.each([
    ['with a passkey', true],
    ['without a passkey', false],
  ])('of an owner %s', (_, passkey) => {
    test.skipIf(isRequired).each([['the undo link'], ['a reset']])(
      'a password, where there is no app, adds a passkey, which %s ends',
      async way => {
        const person = await owner({ passkey })
        const before = linksTo('undo', person)
        const headers = await enter(person)
        const { added, held } = await add(headers, { password: person.password })
        expect(added).toBe(200)
        const entered = await logInBy(held)
        expect(outcome(entered)).toBe(200)
        // The notice of the owner's own one may still be on its way.
        const link = await linkTo('undo', person, Math.max(before, passkey ? 1 : 0) + 1)

        let renewed: Person
        if (way === 'a reset') renewed = await reset(person, 1)
        else {
          expect(outcome(await undo(link))).toBe(200)
          // They cannot be told apart from the thief's.
          expect((await kept(person)).passkeys).toEqual([])
          expect(outcome(await logIn(person))).toBe('bad-credentials')
          renewed = await choose(person, 1)
        }
        expect(outcome(await logInBy(held))).toBe('wrong-passkey unknown')
        for (const each of [headers, headersOf(entered.body.access_token)])
          expect(outcome(await target.send({ path: '/auth/me', headers: each }))).toBe('invalid-access-token')
        const { refresh_token } = entered.body
        expect(outcome(await target.post('/auth/refresh', { refresh_token }))).toBe('invalid-refresh-token')
        expect(outcome(await logIn(person))).toBe('bad-credentials')
        expect(outcome(await logIn(renewed))).toBe(200)
        expect((await kept(person)).passkeys).toEqual([])
      },
    )

    test.runIf(isRequired)('a password, where there is no app, does nothing', async () => {
      const person = await owner({ passkey })
      const before = await kept(person)
      const linked = linksTo('second-factor', person)
      for (const more of [{}, { mail_token: 'x' }, { code: '000000' }])
        expect(outcome(await logIn(person, more))).toBe(passkey ? 'passkey-required' : 'second-factor-setup')
      // A later mail, after those that might have come.
      await target.post('/auth/forgot-password', { email: person.email })
      await linkTo('reset-password', person)
      if (passkey) expect(linksTo('second-factor', person)).toBe(linked)
      expect(await kept(person)).toEqual(before)
      if (person.device) expect(outcome(await logInBy(person.device))).toBe(200)
    })

    test.skipIf(isOff)('a password, where there is an app, does nothing', async () => {
      const person = await owner({ app: true, passkey })
      const before = await kept(person)
      for (const [more, refusal] of [
        [{}, 'second-factor-required'],
        [{ code: '000000' }, 'wrong-code'],
        [{ mail_token: 'x' }, 'second-factor-required'],
      ] as const)
        expect(outcome(await logIn(person, more))).toBe(refusal)
      expect(await kept(person)).toEqual(before)
      await enter(person, { code: person.codes.pop() })
      if (person.device) expect(outcome(await logInBy(person.device))).toBe(200)
    })

    test('an access token and its session see and rename, and nothing else, until the owner ends the session', async () => {
      const person = await owner({ app: isRequired, passkey })
      const entered = await logIn(person, { code: person.codes.pop() })
      const headers = headersOf(entered.body.access_token)
      const before = await kept(person)
      const list = await target.send({ path: '/auth/passkeys', headers })
      expect(list.body.passkeys).toHaveLength(passkey ? 1 : 0)
      const id = list.body.passkeys[0]?.id ?? 'AAAA'
      const renamed = await target.post('/auth/passkeys/rename', { id, label: 'Renamed' }, headers)
      expect(outcome(renamed)).toBe(passkey ? 200 : 'no-passkey')

      // A passkey of the thief's, with any available challenge.
      const thiefs = act.device()
      const handle = list.body.user_handle ?? Buffer.alloc(64).toString('base64url')
      thiefs.create({ challenge: 'AAAA', user: { id: handle } })
      const own = passkey ? { id, rawId: id } : {}
      for (const name of proofs) {
        const { path } = requestLine(name)
        const purpose = path.replace('/auth/', '')
        const send = async (proof: object) =>
          outcome(
            await target.post(
              path,
              { ...(membersOf(name).includes('id') && { id }), new_password: person.password.slice(1), ...proof },
              headers,
            ),
          )
        // An absent thing is refused before the proof.
        const absent =
          (name === 'remove-passkey' && !passkey && 'no-passkey') ||
          (isOff && rows[name].refuses?.includes('second-factor-off') && 'second-factor-off') ||
          (rows[name].refuses?.includes('no-second-factor') && !isRequired && 'no-second-factor')
        const typed = membersOf(name).includes('current_password') ? 'current_password' : 'password'
        expect(await send({}), name).toBe('invalid-body')
        const guessed = await send({ [typed]: 'guess', code: '000000' })
        expect(guessed, name).toBe(absent || 'wrong-password')
        for (const more of [{}, own]) {
          const forged = { ...thiefs.get({ challenge: 'AAAA' }), ...more }
          expect(await send({ assertion: forged }), name).toBe(absent || 'invalid-passkey-challenge')
        }
        if (!passkey) continue
        const { assertion } = await assert(purpose, headers, thiefs)
        expect(await send({ assertion }), name).toBe(absent || 'wrong-passkey unknown')
        expect(await send({ assertion: { ...assertion, ...own } }), name).toBe(absent || 'wrong-passkey signature')
      }
      const made = { credential: thiefs.create({ challenge: 'AAAA', user: { id: handle } }), label: 'Thief' }
      expect(outcome(await target.post('/auth/passkeys/confirm', made, headers))).toBe('invalid-passkey-challenge')
      expect(await kept(person)).toEqual(before)

      const by = person.device
        ? headersOf((await logInBy(person.device)).body.access_token)
        : await enter(person, { code: person.codes.pop() })
      const sessions = await target.send({ path: '/auth/sessions', headers: by })
      const theirs = sessions.body.sessions.find(({ is_current }: { is_current: boolean }) => !is_current)
      const proof = person.device
        ? await assert('end-session', by, person.device)
        : { password: person.password, code: person.codes.pop() }
      expect(outcome(await target.post('/auth/end-session', { id: theirs.id, ...proof }, by))).toBe(200)
      expect(outcome(await target.send({ path: '/auth/passkeys', headers }))).toBe('invalid-access-token')
      const { refresh_token } = entered.body
      expect(outcome(await target.post('/auth/refresh', { refresh_token }))).toBe('invalid-refresh-token')
    })

    test.skipIf(isRequired)(
      'a mailbox, where there is no app, resets and adds, until the owner has it back and resets',
      async () => {
        const person = await owner({ passkey })
        const thief = await reset(person, 1)
        if (person.device) expect(outcome(await logInBy(person.device))).toBe('wrong-passkey unknown')
        const headers = await enter(thief)
        const { added, held } = await add(headers, { password: thief.password })
        expect(added).toBe(200)
        const renewed = await reset(person, 2)
        expect(outcome(await logInBy(held))).toBe('wrong-passkey unknown')
        expect(outcome(await logIn(thief))).toBe('bad-credentials')
        expect(outcome(await target.send({ path: '/auth/me', headers }))).toBe('invalid-access-token')
        expect(outcome(await logIn(renewed))).toBe(200)
      },
    )

    test.skipIf(isRequired)(
      'a mailbox, where there is no app, moves the account too, which the undo link ends',
      async () => {
        const person = await owner({ passkey })
        const thief = await reset(person, 1)
        const headers = await enter(thief)
        const { held } = await add(headers, { password: thief.password })
        const away = target.person().email
        const undoable = passkey ? 2 : 1
        await linkTo('undo', person, undoable)
        await target.post('/auth/change-email', { new_email: away }, headers)
        const moving = { token: await linkTo('change-email', { email: away }), password: thief.password }
        expect(outcome(await target.post('/auth/confirm-email-change', moving))).toBe(200)
        const moved = { ...thief, email: away }
        const later = await add(await enter(moved), { password: thief.password })
        expect(later.added).toBe(200)
        expect(outcome(await logInBy(held))).toBe(200)

        expect(outcome(await undo(await linkTo('undo', person, undoable + 1)))).toBe(200)
        for (const each of [held, later.held]) expect(outcome(await logInBy(each))).toBe('wrong-passkey unknown')
        for (const each of [thief, moved]) expect(outcome(await logIn(each))).toBe('bad-credentials')
        expect(outcome(await logIn(await choose(person, 2)))).toBe(200)
        // The thief's mails there no longer work.
        expect(outcome(await undo(await linkTo('undo', moved)))).toBe('invalid-undo-token')
      },
    )

    // Under `required` passkeys alone guard an account like an app.
    const guards = [...(isOff ? [] : ['an app']), ...(isRequired && passkey ? ['passkeys alone'] : [])]
    test.each(guards.map(guard => [guard, guard === 'an app'] as const))(
      'a mailbox, where %s guards the account, resets the password, and nothing else',
      async (_, app) => {
        const person = await owner({ app, passkey })
        const links = linksTo('second-factor', person)
        for (const [nth, more] of [
          [1, { keep_other_logins: true }],
          [2, {}],
        ] as const) {
          const { totp_secret, passkeys } = await kept(person)
          const thief = await reset(person, nth, more)
          expect(outcome(await logIn(thief))).toBe(app ? 'second-factor-required' : 'passkey-required')
          const isKept = !app || nth === 1
          expect(await kept(person)).toMatchObject({ totp_secret, passkeys: isKept ? passkeys : [] })
          if (person.device) expect(outcome(await logInBy(person.device))).toBe(isKept ? 200 : 'wrong-passkey unknown')
        }
        const renewed = await reset(person, 3)
        expect(linksTo('second-factor', person)).toBe(links)
        if (app) await enter(renewed, { code: person.codes.pop() })
        else expect(outcome(await logIn(renewed))).toBe('passkey-required')
      },
    )
  })

  /** A person's trip to the provider. */
  function trip(sub: string) {
    const code_verifier = randomBytes(32).toString('base64url')
    const authorization_code = liar.authorize(code_verifier, { sub })
    return { provider: liar.provider.id, authorization_code, code_verifier }
  }
  const byProvider = (sub: string, more: object = {}) => target.post('/auth/provider-login', { ...trip(sub), ...more })

  describe.concurrent.each([
    ...(isOff ? [] : [['an app', { app: true }] as const]),
    ...(isRequired ? [['passkeys alone', { passkey: true }] as const] : [['no app', {}] as const]),
  ])('of an owner with %s', (guard, has) => {
    test('the account at a provider logs in where there is no app, and no further, until the owner disconnects it', async () => {
      const person = await owner(has)
      const sub = person.email
      const { email, password } = person
      if (guard === 'passkeys alone') {
        expect(outcome(await byProvider(sub, { email, password }))).toBe('passkey-required')
        expect(outcome(await byProvider(sub))).toBe('provider-email-unverified')
        return
      }
      expect(outcome(await byProvider(sub, { email, password, code: person.codes.pop() }))).toBe(200)
      const entered = await byProvider(sub, { session: {} })
      if (guard === 'an app') {
        expect(outcome(entered)).toBe('second-factor-required')
        expect(outcome(await byProvider(sub, { code: '000000' }))).toBe('wrong-code')
        return
      }
      expect(outcome(entered)).toBe(200)
      const headers = headersOf(entered.body.access_token)
      const { body } = await target.send({ path: '/auth/sign-in-methods', headers })
      const [{ id }] = body.providers
      for (const [path, more] of [
        ['disconnect-provider', { id }],
        ['passkeys/setup', {}],
        ['delete-account', {}],
      ] as const) {
        const guess = { ...more, password: 'guess' }
        expect(outcome(await target.post(`/auth/${path}`, guess, headers)), path).toBe('wrong-password')
      }
      expect(outcome(await byProvider(`${sub}-thief`, { email, password: 'guess' }))).toBe('bad-credentials')

      const own = await enter(person)
      expect(outcome(await target.post('/auth/disconnect-provider', { id, password }, own))).toBe(200)
      expect(outcome(await byProvider(sub))).toBe('provider-email-unverified')
      expect(outcome(await target.send({ path: '/auth/me', headers }))).toBe('invalid-access-token')
      const { refresh_token } = entered.body
      expect(outcome(await target.post('/auth/refresh', { refresh_token }))).toBe('invalid-refresh-token')
    })

    test('a browser’s cookie goes on to applications, and nowhere else, until a reset', async () => {
      const person = await owner(has)
      const request = shopQuery()
      const own = { 'sec-fetch-site': 'same-origin' }
      const options = person.device && (await target.post('/auth/passkeys/login-options', undefined)).body
      const { email, password } = person
      const proof = options ? { assertion: person.device?.get(options) } : { email, password, code: person.codes.pop() }
      const { headers } = await target.post('/auth/authorize', { request, stay: true, ...proof }, own)
      const [cookie = '', value = ''] = /^__Host-gatehouse=([^;]+)/.exec(String(headers['set-cookie'])) ?? []
      target.secrets.add(value)
      const stolen = { ...own, cookie }
      expect(outcome(await target.post('/auth/authorize-session', { request }, stolen))).toBe(200)
      expect(outcome(await target.post('/auth/refresh', { refresh_token: value }))).toBe('invalid-refresh-token')
      for (const name of proofs)
        expect(outcome(await target.post(requestLine(name).path, {}, stolen)), name).toBe('not-authenticated')
      await reset(person, 1)
      expect(outcome(await target.post('/auth/authorize-session', { request }, stolen))).toBe('login-required')
    })
  })

  test.skipIf(isOff)('an authenticator app, or its recovery codes, log nobody in without the password', async () => {
    const { email, codes } = await owner({ app: true })
    expect(outcome(await logIn({ email, password: 'guess' }, { code: codes[0] }))).toBe('bad-credentials')
    expect(outcome(await byProvider(email, { code: codes[0] }))).toBe('provider-email-unverified')
  })

  test('an unlocked phone needs its PIN; who knows that is the owner, until it is removed elsewhere', async () => {
    const person = await owner({ app: isRequired, passkey: true })
    const phone = person.device ?? act.device()
    const unverified = { flags: { verified: false } }
    expect(outcome(await logInBy(phone, unverified))).toBe('wrong-passkey verification')
    const entered = await logInBy(phone)
    const headers = headersOf(entered.body.access_token)
    const { assertion } = await assert('passkeys/setup', headers, phone, unverified)
    expect((await add(headers, { assertion })).added).toBe('wrong-passkey verification')
    const { added, held } = await add(headers, await assert('passkeys/setup', headers, phone))
    expect(added).toBe(200)

    const elsewhere = await enter(person, { code: person.codes.pop() })
    const { body } = await target.send({ path: '/auth/passkeys', headers: elsewhere })
    let by = elsewhere
    for (const { id } of body.passkeys) {
      const proof = { password: person.password, code: person.codes.pop() }
      const removed = await target.post('/auth/passkeys/remove', { id, ...proof }, by)
      expect(outcome(removed)).toBe(200)
      by = headersOf(removed.body.access_token)
    }
    const { password } = target.person()
    const change = { current_password: person.password, new_password: password, code: person.codes.pop() }
    expect(outcome(await target.post('/auth/change-password', change, by))).toBe(200)
    for (const each of [phone, held]) expect(outcome(await logInBy(each))).toBe('wrong-passkey unknown')
    expect(outcome(await target.send({ path: '/auth/me', headers }))).toBe('invalid-access-token')
    const { refresh_token } = entered.body
    expect(outcome(await target.post('/auth/refresh', { refresh_token }))).toBe('invalid-refresh-token')
  })

  test('an unlocked phone is of no use once the account is locked', async () => {
    const person = await owner({ app: isRequired, passkey: true })
    const phone = person.device ?? act.device()
    const headers = headersOf((await logInBy(phone)).body.access_token)
    await target.operator.lock(await target.stored(person), new Date())
    expect(outcome(await logInBy(phone))).toBe('account-locked')
    expect(outcome(await logInBy(phone, { flags: { verified: false } }))).toBe('wrong-passkey verification')
    expect(outcome(await target.send({ path: '/auth/me', headers }))).toBe('invalid-access-token')
  })

  testAfterAttack(target, isRequired)
})
