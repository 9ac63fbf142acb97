import { find, send } from '../form.ts'
import { element, filled, paragraph, spoken, timeAgo } from '../nodes.ts'
import { controls, forms, headings, type Phrase, texts } from '../words.ts'
import { factorRows } from './factor.ts'
import { makeForm } from './form.ts'
import { currentPassword, signalAccepted } from './own-passkeys.ts'
import { passkeyRows } from './passkey-rows.ts'
import { type Methods, providerRows } from './provider-rows.ts'
import { makeRow, showAnew } from './row.ts'
import { call, forget } from './service.ts'
import { type App, makeView, rows, type View } from './view.ts'

/** Password, second factor, and logging out. */
export function securityView(app: App): View {
  const username = () => app.account().email
  const leave = (notice: Phrase): undefined => {
    forget()
    app.leave(notice)
  }

  const password = makeRow({ heading: texts.password, opener: controls.changePassword, isReplaced: true })
  password.hold(
    makeForm({
      name: 'password',
      about: texts.changePassword,
      username,
      fields: [
        { ...currentPassword('change-password'), reveal: controls.showCurrentPassword },
        {
          name: 'new_password',
          label: controls.newPassword,
          type: 'password',
          autocomplete: 'new-password',
          hint: texts.hintPassword,
        },
      ],
      submit: controls.changePassword,
      send: typed => call('POST', '/auth/change-password', typed),
      done: () => {
        showPassword(new Date().toISOString())
        password.finish(texts.passwordChanged)
        return undefined
      },
    }),
  )
  /** @param changed when it was changed last, if that is known */
  const showPassword = (changed: string | null | undefined): void => {
    const dots = element('span', { 'aria-hidden': 'true' }, '•'.repeat(10))
    const facts = changed ? [paragraph(filled(texts.lastChanged, { time: timeAgo(changed) }), 'hint')] : []
    password.show(dots, ...facts)
  }

  const first = makeRow({ heading: texts.password })
  first.show(paragraph(texts.noPassword, 'hint'))
  first.act(
    makeForm({
      name: 'choose-password',
      submit: controls.choosePassword,
      kind: 'plain small',
      send: () => send('POST', '/auth/forgot-password', { email: username() }),
      done: () => texts.newsSent,
    }),
  )
  const ownPassword = element('div', {}, password.root)
  const recent = makeRow({ heading: texts.changes })
  const providers = providerRows(app, ({ has_password, password_changed_at, changes = [] }) => {
    showPassword(password_changed_at)
    showAnew(ownPassword, [(has_password ? password : first).root], () => find('h2', HTMLElement, ownPassword))
    recent.root.hidden = changes.length === 0
    recent.show(element('ul', {}, ...changes.map(itemOf)))
  })

  const everywhere = makeRow({ heading: controls.logOutEverywhere })
  everywhere.show(paragraph(texts.logOutEverywhere, 'hint'))
  everywhere.act(
    makeForm({
      name: 'everywhere',
      submit: controls.logOutEverywhere,
      kind: 'plain small',
      send: () => call('POST', '/auth/logout-everywhere'),
      done: () => leave(texts.loggedOutEverywhere),
    }),
  )

  const deletion = makeRow({ heading: controls.deleteAccount, opener: controls.deleteAccount, kind: 'danger' })
  deletion.show(paragraph(texts.deleteAccount, 'hint'))
  deletion.hold(
    makeForm({
      name: 'delete',
      username,
      fields: [
        {
          name: 'your_email',
          label: controls.yourEmail,
          type: 'email',
          // A password manager would fill in what must be typed with care.
          autocomplete: 'off',
          check: typed => (asStored(typed) === app.account().email ? undefined : forms.fields.your_email.invalid),
        },
        currentPassword('delete-account'),
      ],
      submit: controls.deleteAccount,
      kind: 'danger',
      send: ({ your_email: _, current_password, ...more }) =>
        call('POST', '/auth/delete-account', { password: current_password, ...more }),
      done: () => {
        signalAccepted(app.account(), [])
        return leave(texts.deleted)
      },
    }),
  )

  const passkeys = passkeyRows(app)
  const factor = factorRows(app)
  const load = async () => {
    for (const { load } of [factor, providers]) {
      const answer = await load()
      if (!answer.ok) return answer
    }
    return passkeys.load()
  }
  return {
    ...makeView(
      headings.security,
      rows(ownPassword, passkeys.root, providers.root, factor.root, recent.root),
      element('hr'),
      rows(everywhere.root, deletion.root),
    ),
    load,
    refresh: load,
    open: fragment => (fragment === 'change-password' ? password.open() : passkeys.open()),
  }
}

/** A change of the account, and whether the link of its mail works. */
const itemOf = ({ kind, at, can_be_undone }: NonNullable<Methods['changes']>[number]): HTMLElement =>
  element(
    'li',
    {},
    spoken(texts.changed[kind]),
    ' ',
    timeAgo(at),
    paragraph(can_be_undone ? texts.undoable : texts.notUndoable, 'hint'),
  )

/** An address in its stored form, with its domain in punycode: Firefox leaves it as typed. */
function asStored(typed: string): string {
  const [, local = '', domain = ''] = /^(.*)@(.*)$/.exec(typed.trim()) ?? []
  return `${local}@${element('a', { href: `https://${domain}` }).hostname}`.toLowerCase()
}
