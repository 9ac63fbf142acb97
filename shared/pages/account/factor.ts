import { type Setup, showCodes, showKey } from '../factor-key.ts'
import { find } from '../form.ts'
import { messageOf } from '../mistakes.ts'
import { button, element, filled, paragraph } from '../nodes.ts'
import { controls, forms, type Phrase, setup, texts } from '../words.ts'
import { makeForm, tell, tryAgain } from './form.ts'
import { currentPassword } from './own-passkeys.ts'
import { makeRow, type Row, showAnew } from './row.ts'
import { call } from './service.ts'
import { type App, badge } from './view.ts'

export interface Factor {
  methods: readonly string[]
  recovery_codes_left: number
}

interface Codes {
  recovery_codes: readonly string[]
}

const path = '/auth/second-factor'

/** The second factor: an authenticator app, and recovery codes for people who have lost it. */
export function factorRows(app: App) {
  const root = element('div')
  /** The shown state: unchanged rows are left alone, because somebody may be typing in them. */
  let shown = ''
  /** Recovery codes are shown once, and stay until their reader continues. */
  let isOnce = false

  /** A form for the password, and for the code when the API asks. */
  const asking = <T>(
    action: 'setup' | 'recovery-codes' | 'remove',
    submit: Phrase,
    done: (body: T) => void,
    more: { kind?: 'danger'; about?: Phrase | undefined } = {},
  ) =>
    makeForm<T>({
      name: `factor-${action}`,
      username: () => app.account().email,
      fields: [currentPassword(`second-factor/${action}`)],
      submit,
      ...more,
      send: ({ current_password, ...typed }) =>
        call('POST', `${path}/${action}`, { password: current_password, ...typed }),
      done: body => {
        done(body)
        return undefined
      },
    })

  function show({ methods, recovery_codes_left: left }: Factor): void {
    const state = JSON.stringify([methods, left, app.account().is_verified])
    if (state === shown || isOnce) return
    shown = state
    root.hidden = methods.length === 0 && !app.offersFactor
    const rows = methods.length === 0 ? [rowWithout()] : rowsWith(left)
    showAnew(
      root,
      rows.map(row => row.root),
      firstHeading,
    )
  }

  function rowWithout(): Row {
    const isVerified = app.account().is_verified
    const row = makeRow({ heading: texts.secondFactor, ...(isVerified && { opener: controls.turnOn }) })
    const about = paragraph(texts.noFactor, 'hint')
    row.mark(badge(texts.off, 'none'))
    row.show(about)
    if (isVerified) offerSetup(row, controls.turnOn, () => row.mark(badge(texts.on, 'good')))
    return row
  }

  function rowsWith(left: number): Row[] {
    const mayTurnOff = !app.requiresFactor
    const factor = makeRow({
      heading: texts.secondFactor,
      ...(mayTurnOff && { opener: controls.turnOff }),
      kind: 'danger',
    })
    factor.mark(badge(texts.on, 'good'))
    factor.show(paragraph(mayTurnOff ? texts.hasFactor : forms.refusals['second-factor-required-here'], 'hint'))
    if (mayTurnOff) factor.hold(asking('remove', controls.turnOff, () => goOn(texts.factorRemoved), { kind: 'danger' }))
    const phone = makeRow({ heading: texts.app, opener: controls.newPhone })
    phone.show(paragraph(texts.aboutApp, 'hint'))
    offerSetup(phone, controls.newPhone, undefined, texts.replaceApp)
    const codes = makeRow({ heading: texts.recoveryCodes, opener: controls.newCodes })
    codes.show(paragraph(filled(texts.codesLeft, { left: String(left) })))
    codes.hold(asking<Codes>('recovery-codes', controls.newCodes, body => showOnce(codes, body)))
    return [factor, phone, codes]
  }

  /** The password, then the key and a code of the app, then the recovery codes. */
  function offerSetup(row: Row, submit: Phrase, confirmed = () => {}, about?: Phrase): void {
    const begin = () => row.hold(asking<Setup>('setup', submit, steps, { about }))
    const steps = (begun: Setup) => {
      const code = { name: 'code', label: forms.factor.code, autocomplete: 'one-time-code' }
      const form = makeForm<Codes>({
        name: 'factor-confirm',
        fields: [code],
        submit: controls.confirm,
        send: typed => call('POST', `${path}/confirm`, typed),
        done: body => {
          confirmed()
          showOnce(row, body)
          return undefined
        },
      })
      const input = find('[name="code"]', HTMLInputElement, form)
      const typing = paragraph(setup.typeCode)
      typing.id = 'factor-typing'
      input.setAttribute('aria-describedby', `${input.id}-error ${typing.id}`)
      // Focused, so that a phone shows the first step instead of the second's field.
      const scanning = element('li', { tabindex: '-1' }, ...showKey(begun))
      row.hold(element('ol', { class: 'steps' }, scanning, element('li', {}, typing, form)), begin)
    }
    begin()
  }

  function showOnce(row: Row, { recovery_codes }: Codes): void {
    isOnce = true
    app.askBeforeLeaving(true)
    const heading = element('h3', { tabindex: '-1' }, texts.keepCodes)
    const kept = button(controls.keptCodes, () => goOn(), 'primary')
    const about = paragraph(texts.aboutCodes)
    row.pin(
      element(
        'div',
        { class: 'once' },
        heading,
        about,
        ...showCodes(recovery_codes),
        element('div', { class: 'act' }, kept),
      ),
    )
    heading.focus()
  }

  const firstHeading = () => find('h2', HTMLElement, root)

  /** Shows the present state. The focused element is gone, so the first row's heading is focused. */
  async function goOn(news?: Phrase): Promise<void> {
    isOnce = false
    shown = ''
    app.askBeforeLeaving(false)
    root.querySelector('.once')?.remove()
    // A form that is opened meanwhile would go with its row.
    root.inert = true
    const answer = await load()
    root.inert = false
    if (!answer.ok && answer.isEnded) return
    if (!answer.ok) {
      const again = tryAgain(() => goOn(news))
      root.replaceChildren(messageOf(answer), again)
      return again.focus()
    }
    firstHeading().focus()
    if (news) tell(find('output', HTMLElement, root), news)
  }

  async function load() {
    const read = app.account().is_verified ? null : await app.readAccount()
    if (read?.ok === false) return read
    const answer = await call<Factor>('GET', path)
    if (answer.ok) show(answer.body)
    return answer
  }

  return { root, load }
}
