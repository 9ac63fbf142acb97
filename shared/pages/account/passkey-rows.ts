import { type Answer, find } from '../form.ts'
import { dayOf, element, filled, nameOf, paragraph, timeAgo } from '../nodes.ts'
import { type CreationOptions, fresh, hasWebAuthn, isUsable, makePasskey, rpId } from '../webauthn.ts'
import { controls, type Phrase, texts } from '../words.ts'
import { deviceName } from './device.ts'
import type { Field } from './fields.ts'
import { makeForm } from './form.ts'
import {
  countPasskeys,
  currentPassword,
  noteHandle,
  type Passkey,
  readPasskeys,
  signalAccepted,
  signalDetails,
} from './own-passkeys.ts'
import { makeRow, type Row, showAnew } from './row.ts'
import { call } from './service.ts'
import { type App, badge } from './view.ts'

const path = '/auth/passkeys'

/** The field of a name, and what it stands for: unchanged, the name as it is stored. */
function labelField(label: string): [Field, (typed: string) => string] {
  const value = nameOf(label)()
  const field: Field = { name: 'label', label: controls.passkeyName, autocomplete: 'off', value }
  return [field, typed => (typed === value ? label : typed)]
}

/** The passkeys, below a row that adds one. */
export function passkeyRows(app: App) {
  const root = element('div')
  /** The shown state: unchanged rows are left alone, because somebody may be typing in them. */
  let shown = ''
  let top: Row | null = null

  /** @param news of a form that has succeeded */
  function show(passkeys: readonly Passkey[], news?: Phrase): void {
    const isVerified = app.account().is_verified
    const state = JSON.stringify([isVerified, passkeys])
    if (state === shown) return
    shown = state
    countPasskeys(passkeys.length)
    // Where passkeys are switched off, existing ones can still be removed.
    root.hidden = rpId === '' && passkeys.length === 0
    const row = rowOfAll(isVerified, passkeys)
    top = row
    const items = passkeys.map(passkey => rowOf(passkey, passkeys))
    const list = items.length > 0 ? [element('ul', { class: 'passkeys' }, ...items)] : []
    showAnew(root, [row.root, ...list], () => (news ? null : find('h2', HTMLElement, root)))
  }

  /** Shows changed passkeys after a form has succeeded, with its message. */
  function change(passkeys: readonly Passkey[], news: Phrase): undefined {
    show(passkeys, news)
    top?.finish(news)
    return undefined
  }

  function rowOfAll(isVerified: boolean, passkeys: readonly Passkey[]): Row {
    const mayAdd = isUsable && isVerified
    const row = makeRow({ heading: texts.passkeys, ...(mayAdd && { opener: controls.addPasskey }) })
    row.show(paragraph(texts.aboutPasskeys, 'hint'), ...(isUsable ? [] : [paragraph(whyNot())]))
    if (!mayAdd) return row

    /** The options of a new passkey, for a retry without another proof. */
    let begun: { options: CreationOptions; until: number } | null = null
    const isProven = () => begun !== null && Date.now() < begun.until
    const [field, storedAs] = labelField(deviceName())
    const form = makeForm<Passkey>({
      name: 'passkey',
      about: texts.besidePassword,
      username: () => app.account().email,
      fields: [field, currentPassword('passkeys/setup')],
      submit: controls.addPasskey,
      isProven,
      async send({ label = '', current_password, ...proof }, asked) {
        if (begun === null || !isProven()) {
          const body = { password: current_password, ...proof }
          const drawn = await call<CreationOptions>('POST', `${path}/setup`, body)
          if (!drawn.ok) return drawn
          begun = { options: drawn.body, until: Date.now() + fresh }
        }
        const made = await makePasskey(begun.options, asked)
        if (!made.ok) return made
        noteHandle(app.account(), begun.options.user.id)
        begun = null
        return call('POST', `${path}/confirm`, { credential: made.body, label: storedAs(label) })
      },
      done: added => change([...passkeys.filter(({ id }) => id !== added.id), added], texts.passkeyAdded),
    })
    form.addEventListener('close', () => {
      begun = null
    })
    row.hold(form)
    return row
  }

  function rowOf(passkey: Passkey, passkeys: readonly Passkey[]): HTMLElement {
    const { id, label, created_at, last_used_at, is_synced } = passkey
    const name = element('bdi', { id: `passkey-${id}` }, nameOf(label))
    const [field, storedAs] = labelField(label)
    const row = makeRow({ as: 'li', heading: name, opener: controls.remove, kind: 'danger' })
    row.mark(badge(is_synced ? texts.synced : texts.onThisDevice, 'none'))
    const used = last_used_at === null ? texts.neverUsed : filled(texts.lastUsed, { time: dayOf(last_used_at) })
    const added = filled(texts.addedAt, { time: timeAgo(created_at) })
    row.show(element('p', { class: 'hint times' }, element('span', {}, used), element('span', {}, added)))
    row.hold(
      makeForm({
        name: `remove-${id}`,
        about: texts.removePasskey,
        username: () => app.account().email,
        fields: [currentPassword('passkeys/remove')],
        submit: controls.remove,
        kind: 'danger',
        send: ({ current_password, ...proof }) =>
          call('POST', `${path}/remove`, { id, password: current_password, ...proof }),
        done: () => {
          const left = passkeys.filter(other => other !== passkey)
          signalAccepted(
            app.account(),
            left.map(other => other.id),
          )
          return change(left, texts.passkeyRemoved)
        },
      }),
    )
    row.offer(
      controls.rename,
      makeForm<Passkey>({
        name: `rename-${id}`,
        fields: [field],
        submit: controls.rename,
        send: ({ label = '' }) => call('POST', `${path}/rename`, { id, label: storedAs(label) }),
        done: renamed =>
          change(
            passkeys.map(other => (other === passkey ? renamed : other)),
            texts.passkeyRenamed,
          ),
      }),
    )
    // Several buttons have the same name: their description is the passkey.
    for (const button of row.root.querySelectorAll('button')) button.setAttribute('aria-describedby', name.id)
    return row.root
  }

  async function load(): Promise<Answer> {
    const answer = await readPasskeys(app.account())
    if (!answer.ok) return answer
    show(answer.body.passkeys)
    signalDetails(app.account())
    return answer
  }

  return { root, load, open: () => top?.open() }
}

/** Why no passkey can be added on this page. */
function whyNot() {
  if (rpId === '') return texts.passkeysOff
  if (!hasWebAuthn) return texts.noWebAuthn
  const { hostname } = location
  const href = location.href.replace(hostname, rpId)
  // An address of this machine, which passkeys cannot be bound to.
  return rpId === 'localhost' ? filled(texts.useLocalhost, {}, href) : filled(texts.otherDomain, { domain: rpId })
}
