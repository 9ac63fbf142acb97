import { fieldOf } from './account/fields.ts'
import { find, type Refusal } from './form.ts'
import { clearErrors, inputsAtFault } from './mistakes.ts'
import { button, element } from './nodes.ts'
import { controls, forms, say } from './words.ts'

/** The step of a form that asks for the code of a second factor. */
export interface CodeStep {
  /** Asks for a code, in place of the form's fields. A form that is a whole view is then alone in it (form.css). */
  open(): void
  /** Shows the fields again, with what was typed in them. */
  close(): void
  /** Closes if another field is at fault. @returns the refusal, in words about a recovery code where that was typed */
  refuse(refusal: Refusal): Refusal
}

/** Whose login it is, and how to begin with another account. */
export interface Login {
  email(): string
  another(): void
}

interface Parts {
  /** Prefix of its field's id. */
  name: string
  /** Null in a proof. */
  login?: Login | undefined
  /** The button that takes a passkey in place of a code. */
  passkey?: HTMLElement | null
  heading: 'h1' | 'h3'
  /** Whether it has no step before it. */
  isFirst?: boolean | undefined
  /** Gives up what is under way when a person leaves the step. */
  left?(): void
}

export function makeCodeStep(form: HTMLFormElement, { name, login, passkey, heading, isFirst, left }: Parts): CodeStep {
  const { factor } = forms
  const submit = find('[type="submit"]', HTMLButtonElement, form)
  /** What it has added to the form: nothing while it is closed. */
  let added: HTMLElement[] = []
  let isRecovery = false
  let isForAnother = false

  form.addEventListener('close', close)
  form.addEventListener('keydown', event => {
    const isOpen = added.length > 0 && !isFirst && form.ariaBusy !== 'true'
    if (event.key !== 'Escape' || event.isComposing || !isOpen) return
    event.stopPropagation()
    if (login) history.back()
    else goBack()
  })

  function open(): void {
    if (added.length > 0) return
    const { code: label, hint } = factor
    const field = fieldOf(name, { name: 'code', label, autocomplete: 'one-time-code', hint })
    const turner = button(factor.useRecovery, () => turn(field, turner))
    const whose = login && [element('bdi', {}, login.email()), button(controls.another, goToAnother, 'plain small')]
    const step = element(
      'div',
      { class: 'code-step' },
      element(heading, { tabindex: '-1' }, factor.heading),
      whose ? element('p', {}, ...whose) : null,
      field,
    )
    const back = login ? [] : [button(factor.back, goBack)]
    added = [step, turner, ...back]
    find('.act', HTMLElement, form).before(step)
    submit.after(turner)
    const last = passkey ?? turner
    last.after(...back)
    if (login && passkey) say(passkey, controls.usePasskey)
    if (login && !isFirst) {
      // A phone's own way back leads to the fields, not off the page.
      history.pushState(history.state, '')
      addEventListener('popstate', leave, { once: true })
    }
    find('input', HTMLInputElement, field).focus()
  }

  function turn(field: HTMLElement, turner: HTMLElement): void {
    isRecovery = !isRecovery
    const input = find('input', HTMLInputElement, field)
    input.value = ''
    input.inputMode = isRecovery ? 'text' : 'numeric'
    input.autocomplete = isRecovery ? 'off' : 'one-time-code'
    clearErrors(form)
    say(find('label', HTMLElement, field), isRecovery ? factor.recoveryCode : factor.code)
    say(find('.hint', HTMLElement, field), isRecovery ? factor.hintRecovery : factor.hint)
    say(turner, isRecovery ? factor.useApp : factor.useRecovery)
    // A focused field keeps its keyboard.
    input.blur()
    input.focus()
  }

  function goToAnother(): void {
    isForAnother = true
    if (isFirst) {
      left?.()
      login?.another()
    } else history.back()
  }

  function leave(): void {
    const isOther = isForAnother
    goBack()
    if (isOther) login?.another()
  }

  function goBack(): void {
    left?.()
    close()
    clearErrors(form)
    find('input:not([hidden]), [type="submit"]', HTMLElement, form).focus()
  }

  function close(): void {
    removeEventListener('popstate', leave)
    for (const part of added) part.remove()
    added = []
    isRecovery = isForAnother = false
    if (login && passkey) say(passkey, controls.logInWithPasskey)
  }

  return {
    open,
    close,
    refuse(refusal) {
      const isWrong = isRecovery && refusal.code === 'wrong-code'
      if (inputsAtFault(form, refusal).some(input => input.name !== 'code')) close()
      return isWrong ? { ...refusal, words: factor.wrongRecovery } : refusal
    },
  }
}
