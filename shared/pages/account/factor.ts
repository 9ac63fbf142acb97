import { announce, find } from '../form.ts'
import { controls, setupWords, texts } from '../messages.ts'
import { drawQrCode } from '../qr-code.ts'
import { currentPassword } from './fields.ts'
import { makeForm } from './form.ts'
import { button, element, filled, paragraph } from './nodes.ts'
import { call } from './service.ts'
import { type App, card } from './view.ts'

interface Factor {
  methods: readonly string[]
  recovery_codes_left: number
}

interface Setup {
  secret: string
  uri: string
}

interface Codes {
  recovery_codes: readonly string[]
}

/**
 * The second factor: an authenticator app, and recovery codes for people who have lost it.
 *
 * @param onStep told whether the card shows a step that its reader has to finish
 */
export function factorCard(app: App, onStep: (isUnderWay: boolean) => void) {
  const place = element('div')
  const root = card(texts.secondFactor, place)
  /** What is shown once, and so stays until its reader goes on. */
  let isOnce = false

  const show = (...nodes: Node[]) => {
    place.replaceChildren(...nodes)
    onStep(isOnce)
  }
  const path = '/auth/second-factor'
  const username = () => app.account().email

  /** A form that takes the password, and the code when the API asks for one. */
  const asking = <T>(action: string, submit: string, done: (body: T) => void, look: object) =>
    makeForm<T>({
      name: `factor-${action}`,
      username,
      fields: [currentPassword],
      submit,
      kind: 'plain',
      ...look,
      send: ({ current_password, ...typed }) =>
        call('POST', `${path}/${action}`, { password: current_password, ...typed }),
      done: (body, form) => {
        form.reset()
        done(body)
        return undefined
      },
    })

  function showState({ methods, recovery_codes_left: left }: Factor): void {
    root.hidden = methods.length === 0 && !app.offersFactor
    if (methods.length === 0) {
      show(paragraph(texts.noFactor), asking<Setup>('setup', controls.setUpApp, showSetup, {}))
      return
    }
    show(
      paragraph(texts.hasFactor),
      paragraph(filled(texts.codesLeft, { left: String(left) })),
      asking<Codes>('recovery-codes', controls.newCodes, ({ recovery_codes }) => showCodes(recovery_codes), folded),
      asking<Setup>('setup', controls.setUpApp, showSetup, folded),
      asking('remove', controls.removeFactor, removed, { ...folded, kind: 'danger' }),
    )
  }

  function showSetup({ secret, uri }: Setup): void {
    isOnce = true
    show(
      paragraph(texts.scan),
      drawQrCode(uri, setupWords.qrCode),
      paragraph(texts.orType),
      element('p', { class: 'secret' }, secret.replaceAll(/.{4}(?=.)/g, '$& ')),
      makeForm<Codes>({
        name: 'factor-confirm',
        fields: [{ name: 'code', label: controls.code, autocomplete: 'one-time-code', hint: texts.hintAppCode }],
        submit: controls.confirm,
        send: typed => call('POST', `${path}/confirm`, typed),
        done: ({ recovery_codes }) => {
          showCodes(recovery_codes)
          return undefined
        },
      }),
      button(controls.cancel, goOn),
    )
    find('input', HTMLInputElement, place).focus()
  }

  function showCodes(codes: readonly string[]): void {
    isOnce = true
    app.askBeforeLeaving(true)
    const list = element('ul', { class: 'codes' }, ...codes.map(code => element('li', {}, code)))
    const told = element('output', { class: 'good' })
    const copy = async () => {
      const isCopied = await navigator.clipboard.writeText(codes.join('\n')).then(
        () => true,
        () => false,
      )
      told.textContent = isCopied ? texts.copiedCodes : ''
      if (!isCopied) getSelection()?.selectAllChildren(list)
    }
    const heading = element('h3', { tabindex: '-1' }, texts.keepCodes)
    show(
      heading,
      paragraph(texts.aboutCodes),
      list,
      element(
        'div',
        { class: 'act' },
        button(controls.keptCodes, goOn, 'primary'),
        button(controls.copyCodes, copy),
        told,
      ),
    )
    heading.focus()
  }

  /** Goes back to the card's first state. The element with the focus is gone, so the card's heading gets it. */
  async function goOn(): Promise<void> {
    isOnce = false
    app.askBeforeLeaving(false)
    await load()
    const heading = find('h2', HTMLElement, root)
    heading.tabIndex = -1
    heading.focus()
  }

  async function removed(): Promise<void> {
    await goOn()
    announce(texts.factorRemoved)
  }

  async function load() {
    const answer = await call<Factor>('GET', path)
    if (answer.ok && !isOnce) showState(answer.body)
    return answer
  }

  return { root, load }
}

/** Its fields are shown when its button is pressed. */
const folded = { isFolded: true }
