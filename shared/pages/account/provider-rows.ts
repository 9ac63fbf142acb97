import { type Answer, find } from '../form.ts'
import { button, element, filled, paragraph, timeAgo } from '../nodes.ts'
import { phraseAbout, providerName, providers } from '../providers.ts'
import { leaveFor } from '../trip.ts'
import { controls, type Phrase, texts } from '../words.ts'
import { makeForm } from './form.ts'
import { luggageOf } from './guest.ts'
import { currentPassword } from './own-passkeys.ts'
import { makeRow, showAnew } from './row.ts'
import { call, isSession } from './service.ts'
import type { App } from './view.ts'

/** A connected provider, as in the API's list. */
interface Identity {
  id: string
  /** Null if no longer offered. */
  provider: string | null
  email: string | null
  connected_at: string
}

/** How the owner logs in, and what was changed lately, the newest first. */
export interface Methods {
  has_password: boolean
  providers: readonly Identity[]
  password_changed_at?: string | null
  changes?: readonly { kind: keyof typeof texts.changed; at: string; can_be_undone: boolean }[]
}

/** The account's providers, below a row that connects more. @param learn is told all that was read */
export function providerRows(app: App, learn: (methods: Methods) => void) {
  const root = element('div')
  /** The shown state: unchanged rows are left alone, because somebody may be typing in them. */
  let shown = ''

  /** @param news of a form that has succeeded */
  function show(methods: Methods, news?: Phrase): void {
    const state = JSON.stringify(methods)
    if (state === shown) return
    shown = state
    learn(methods)
    root.hidden = providers.length === 0 && methods.providers.length === 0
    const top = makeRow({ heading: texts.waysToLogIn })
    const more = methods.has_password ? connectors(methods) : []
    if (more.length > 0) top.show(paragraph(texts.aboutProviders, 'hint'))
    top.act(...more)
    const items = methods.providers.map(identity => rowOf(identity, methods))
    const list = items.length > 0 ? [element('ul', { class: 'passkeys' }, ...items)] : []
    showAnew(root, [top.root, ...list], () => (news ? null : find('h2', HTMLElement, root)))
    if (news) top.finish(news)
  }

  /** A button for each provider that is not connected. Without a session, leaving the page ends the login. */
  const connectors = (methods: Methods): Node[] =>
    providers
      .filter(({ id }) => methods.providers.every(({ provider }) => provider !== id))
      .map(provider =>
        button(
          phraseAbout(controls.connect, provider.name),
          () => leaveFor(provider, { ...luggageOf(app, isSession()), email: app.account().email }),
          'plain small',
        ),
      )

  function rowOf({ id, provider, email, connected_at }: Identity, methods: Methods): HTMLElement {
    const name: Phrase = () => (provider === null ? texts.formerProvider() : providerName(provider))
    const words: Phrase = () => phraseAbout(controls.disconnect, name())()
    const row = makeRow({
      as: 'li',
      heading: provider === null ? name : element('bdi', {}, name),
      ...(methods.has_password && { opener: words }),
      kind: 'danger',
    })
    const which = element('span', { id: `provider-${id}` }, element('bdi', {}, email ?? ''))
    const since = element('span', {}, filled(texts.connectedAt, { time: timeAgo(connected_at) }))
    row.show(element('p', { class: 'hint times' }, which, since))
    if (methods.has_password) {
      row.hold(
        makeForm({
          name: `disconnect-${id}`,
          about: texts.disconnect,
          username: () => app.account().email,
          fields: [currentPassword('disconnect-provider')],
          submit: words,
          kind: 'danger',
          send: ({ current_password, ...proof }) =>
            call('POST', '/auth/disconnect-provider', { id, password: current_password, ...proof }),
          done: () => {
            show({ ...methods, providers: methods.providers.filter(other => other.id !== id) }, texts.disconnected)
            return undefined
          },
        }),
      )
    }
    // Two logins at one provider have the same buttons: their description is the login.
    for (const button of row.root.querySelectorAll('button')) button.setAttribute('aria-describedby', which.id)
    return row.root
  }

  async function load(): Promise<Answer> {
    const answer = await call<Methods>('GET', '/auth/sign-in-methods')
    if (answer.ok) show(answer.body)
    return answer
  }

  return { root, load }
}
