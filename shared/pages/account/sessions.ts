import { announce, find } from '../form.ts'
import { controls, headings, texts } from '../messages.ts'
import { currentPassword } from './fields.ts'
import { makeForm } from './form.ts'
import { element, filled, momentOf, paragraph } from './nodes.ts'
import { call, isSession } from './service.ts'
import { type App, makeView, type View } from './view.ts'

interface Session {
  id: string
  label: string | null
  created_at: string
  last_used_at: string
  is_current: boolean
}

/** Where one stays logged in. */
export function sessionsView(app: App): View {
  const list = element('ul')
  const none = paragraph('', 'hint')
  const view = makeView(headings.sessions, paragraph(texts.sessions), list, none)
  const show = (sessions: readonly Session[]) => {
    list.replaceChildren(...sessions.map(session => itemOf(session)))
    list.hidden = sessions.length === 0
    none.textContent = sessions.length === 0 ? texts.noSessions : isSession() ? '' : texts.noOwnSession
  }

  function itemOf({ id, label, created_at, last_used_at, is_current }: Session): HTMLElement {
    return element(
      'li',
      { class: 'card' },
      element(
        'p',
        { class: 'fact' },
        element('bdi', {}, label || texts.unnamed),
        is_current ? element('span', { class: 'badge good' }, texts.thisTab) : null,
      ),
      element(
        'p',
        { class: 'hint times' },
        element('span', {}, filled(texts.lastUsed, { time: momentOf(last_used_at) })),
        element('span', {}, filled(texts.loggedInAt, { time: momentOf(created_at) })),
      ),
      is_current ? null : ending(id),
    )
  }

  /** A button that first asks for the password, because a stolen access token must not end sessions. */
  function ending(id: string): HTMLElement {
    const form = makeForm({
      name: `end-${id}`,
      username: () => app.account().email,
      fields: [currentPassword],
      submit: controls.end,
      kind: 'plain',
      isFolded: true,
      send: ({ current_password, ...typed }) =>
        call('POST', '/auth/end-session', { id, password: current_password, ...typed }),
      done: () => {
        form.closest('li')?.remove()
        announce(texts.sessionEnded)
        find('h1', HTMLElement, view.root).focus()
        return undefined
      },
    })
    return form
  }

  return {
    ...view,
    load: async () => {
      const answer = await call<{ sessions: readonly Session[] }>('GET', '/auth/sessions')
      if (answer.ok) show(answer.body.sessions)
      return answer
    },
  }
}
