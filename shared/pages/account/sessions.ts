import { announce, find } from '../form.ts'
import { element, filled, paragraph, timeAgo } from '../nodes.ts'
import { isUsable } from '../webauthn.ts'
import { controls, headings, say, texts } from '../words.ts'
import { makeForm } from './form.ts'
import { currentPassword, readPasskeys } from './own-passkeys.ts'
import { makeRow } from './row.ts'
import { call, isSession } from './service.ts'
import { type App, badge, makeView, type View } from './view.ts'

interface Session {
  id: string
  label: string | null
  created_at: string
  last_used_at: string
  is_current: boolean
  /** Whether it is a browser session, across applications. */
  browser?: boolean
}

/** The account's sessions. */
export function sessionsView(app: App): View {
  const list = element('ul', { class: 'card' })
  const none = paragraph('', 'hint')
  const view = makeView(headings.sessions, paragraph(texts.sessions, 'lead'), list, none)
  const show = (sessions: readonly Session[]) => {
    const ownFirst = [...sessions].sort((a, b) => Number(b.is_current) - Number(a.is_current))
    list.replaceChildren(...ownFirst.map(session => itemOf(session)))
    list.hidden = sessions.length === 0
    say(none, sessions.length === 0 ? texts.noSessions : isSession() ? '' : texts.noOwnSession)
  }

  function itemOf({ id, label, created_at, last_used_at, is_current: isCurrent, browser }: Session): HTMLElement {
    const device = element('bdi', { id: `device-${id}` }, label || (browser ? texts.inBrowser : texts.unnamed))
    const row = makeRow({ as: 'li', heading: device, ...(!isCurrent && { opener: controls.end }) })
    if (isCurrent) row.mark(badge(texts.thisTab, 'good'))
    row.show(
      element(
        'p',
        { class: 'hint times' },
        element('span', {}, filled(texts.lastUsed, { time: timeAgo(last_used_at) })),
        element('span', {}, filled(texts.loggedInAt, { time: timeAgo(created_at) })),
      ),
    )
    if (isCurrent) return row.root
    // Asks for the password, because a stolen access token must not end sessions.
    const form = makeForm({
      name: `end-${id}`,
      ...(browser && { about: texts.endInBrowser }),
      username: () => app.account().email,
      fields: [currentPassword('end-session')],
      submit: controls.end,
      send: ({ current_password, ...typed }) =>
        call('POST', '/auth/end-session', { id, password: current_password, ...typed }),
      done: () => {
        row.root.remove()
        announce(texts.sessionEnded)
        find('h1', HTMLElement, view.root).focus()
        if (browser) read()
        return undefined
      },
    })
    row.hold(form)
    // Several buttons are called "End": their description is the session.
    for (const button of row.root.querySelectorAll('button')) button.setAttribute('aria-describedby', device.id)
    find('[type="submit"]', HTMLElement, form).setAttribute('aria-describedby', device.id)
    return row.root
  }

  async function read() {
    const answer = await call<{ sessions: readonly Session[] }>('GET', '/auth/sessions')
    if (answer.ok) show(answer.body.sessions)
    return answer
  }

  return {
    ...view,
    load: async () => {
      if (isUsable) await readPasskeys(app.account())
      return read()
    },
  }
}
