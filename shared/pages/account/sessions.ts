import { announce, find } from '../form.ts'
import { element, filled, nameOf, paragraph, timeAgo } from '../nodes.ts'
import { isUsable } from '../webauthn.ts'
import { controls, headings, type Phrase, say, texts } from '../words.ts'
import { makeForm } from './form.ts'
import { currentPassword, readPasskeys } from './own-passkeys.ts'
import { makeRow } from './row.ts'
import { call, isSession } from './service.ts'
import { type App, badge, makeView, rows, type View } from './view.ts'

export interface Session {
  id: string
  label: string | null
  created_at: string
  last_used_at: string
  is_current: boolean
  /** Whether it is a browser session, across applications. */
  browser?: boolean
  application?: string | null
  /** The browser session by which an application got it. */
  through?: string | null
}

/** The account's sessions. */
export function sessionsView(app: App): View {
  const list = element('ul', { class: 'card' })
  const none = paragraph('', 'hint')
  const others = makeRow({ heading: controls.endOthers, opener: controls.endOthers })
  const ofOthers = rows(others.root)
  let ownId = ''
  const view = makeView(headings.sessions, paragraph(texts.sessions, 'lead'), list, none, ofOthers)
  const show = (sessions: readonly Session[]) => {
    const ownFirst = [...sessions].sort((a, b) => Number(b.is_current) - Number(a.is_current))
    // An application's stands below the browser's by which it was opened.
    const isAmong = ({ through }: Session) => sessions.some(({ id }) => id === through)
    const below = (of: Session) => ownFirst.filter(({ through }) => through === of.id)
    list.replaceChildren(...ownFirst.filter(one => !isAmong(one)).map(one => itemOf(one, below(one))))
    const own = sessions.find(one => one.is_current)
    ofOthers.hidden = !own || sessions.length === 1
    // What somebody types there stays.
    if (own && own.id !== ownId) {
      ownId = own.id
      others.hold(
        formOf({ others: true }, controls.endOthers, texts.endOthers, () => {
          others.end()
          announce(texts.othersEnded)
        }),
      )
    }
    list.hidden = sessions.length === 0
    say(none, sessions.length === 0 ? texts.noSessions : isSession() ? '' : texts.noOwnSession)
  }

  /** Asks for the password, because a stolen access token must not end sessions. */
  const formOf = (ends: { id: string } | { others: true }, submit: Phrase, about: Phrase | null, ended: () => void) =>
    makeForm({
      name: `end-${'id' in ends ? ends.id : 'others'}`,
      ...(about && { about }),
      username: () => app.account().email,
      fields: [currentPassword('end-session')],
      submit,
      send: ({ current_password, ...typed }) =>
        call('POST', '/auth/end-session', { ...ends, password: current_password, ...typed }),
      done: () => {
        ended()
        find('h1', HTMLElement, view.root).focus()
        read()
        return undefined
      },
    })

  function itemOf(session: Session, below: readonly Session[] = []): HTMLElement {
    const { id, label, created_at, last_used_at, is_current: isCurrent, browser, application } = session
    const name = label ? nameOf(label) : browser ? texts.inBrowser : texts.unnamed
    const device = element('bdi', { id: `device-${id}` }, name)
    const row = makeRow({ as: 'li', heading: device, ...(!isCurrent && { opener: controls.end }) })
    if (isCurrent) row.mark(badge(texts.thisTab, 'good'))
    else if (application) row.mark(badge(texts.application, 'none'))
    row.show(
      ...(browser && label ? [paragraph(texts.inBrowser, 'hint')] : []),
      element(
        'p',
        { class: 'hint times' },
        element('span', {}, filled(texts.lastUsed, { time: timeAgo(last_used_at) })),
        element('span', {}, filled(texts.loggedInAt, { time: timeAgo(created_at) })),
      ),
    )
    if (isCurrent) return row.root
    const form = formOf({ id }, controls.end, browser ? texts.endInBrowser : null, () => {
      row.root.remove()
      announce(texts.sessionEnded)
    })
    row.hold(form)
    // Several buttons are called "End": their description is the session.
    for (const button of row.root.querySelectorAll('button')) button.setAttribute('aria-describedby', device.id)
    find('[type="submit"]', HTMLElement, form).setAttribute('aria-describedby', device.id)
    if (below.length > 0) row.root.append(element('ul', { class: 'passkeys' }, ...below.map(one => itemOf(one))))
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
