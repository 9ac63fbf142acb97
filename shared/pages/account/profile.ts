import { type Answer, find } from '../form.ts'
import { dayOf, element, filled, paragraph } from '../nodes.ts'
import { languageLinks } from '../switch.ts'
import { controls, headings, texts } from '../words.ts'
import { mailAgain, makeForm } from './form.ts'
import { mailLanguageRow } from './mail-language.ts'
import { signalDetails } from './own-passkeys.ts'
import { makeRow } from './row.ts'
import { call } from './service.ts'
import { type Account, type App, badge, makeView, rows, type View } from './view.ts'

/** What stands above every section while the address is not verified. */
export function unverifiedCard(app: App): HTMLElement {
  const { email } = app.account()
  const form = mailAgain('verify', '/auth/resend-verification', email, 'plain small')
  return element('section', { class: 'card verify' }, paragraph(filled(texts.verify, { email })), form)
}

/** Name and address. */
export function profileView(app: App): View {
  const name = makeRow({ heading: controls.name, opener: controls.changeName, isReplaced: true })
  const nameForm = makeForm<Account>({
    name: 'name',
    fields: [
      { name: 'name', label: controls.nameOptional, autocomplete: 'name', hint: texts.hintName, isOptional: true },
    ],
    submit: controls.saveName,
    send: typed => call('PUT', '/auth/me', typed),
    done: account => {
      show(account)
      signalDetails(account)
      name.finish(account.name ? texts.nameSaved : texts.nameRemoved)
      return undefined
    },
  })
  name.hold(nameForm)

  const address = makeRow({ heading: controls.email, opener: controls.changeAddress })
  address.hold(
    makeForm({
      name: 'address',
      about: texts.changeAddress,
      fields: [{ name: 'new_email', label: controls.newEmail, type: 'email', autocomplete: 'email' }],
      submit: controls.changeAddress,
      send: typed => call('POST', '/auth/change-email', typed),
      done: (_, { new_email = '' }) => {
        const news = filled(texts.addressAsked, { email: new_email.trim() })
        const { email, is_verified: isVerified } = app.account()
        if (!isVerified) news.append(' ', filled(texts.linkVoid, { email }))
        app.endWelcome()
        show(app.account())
        address.finish(news)
        return undefined
      },
    }),
  )

  const language = app.account().language !== undefined && languageLinks.length > 0 ? mailLanguageRow(show) : null

  function show(account: Account): void {
    app.changeAccount(account)
    language?.show(account)
    const { email, is_verified: isVerified } = account
    if (isVerified) app.endWelcome()
    find('input', HTMLInputElement, nameForm).defaultValue = account.name ?? ''
    name.show(account.name ? element('bdi', {}, account.name) : element('span', { class: 'hint' }, texts.noName))
    address.show(element('bdi', {}, email), isVerified ? badge(texts.verified, 'good') : badge(texts.notVerified))
  }
  const { created_at: opened } = app.account()
  const since = opened ? paragraph(filled(texts.since, { day: dayOf(opened) }), 'hint') : null
  show(app.account())
  // Just read.
  let isFresh = true
  const load = async () => {
    const answer: Answer<Account> = isFresh ? { ok: true, body: app.account() } : await app.readAccount()
    isFresh = false
    if (answer.ok) show(answer.body)
    return answer
  }
  return {
    ...makeView(headings.profile, rows(name.root, address.root, ...(language ? [language.root] : [])), since),
    load,
    refresh: load,
  }
}
