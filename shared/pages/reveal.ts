import { inputsOf } from './form.ts'
import { button, element } from './nodes.ts'
import { forms, type Phrase } from './words.ts'

/** A button in a password field that shows the password, until it is sent. */

const svg = 'http://www.w3.org/2000/svg'

/** @param name of the button, unique within a form */
export function withRevealButton(input: HTMLInputElement, name: Phrase = forms.showPassword): HTMLElement {
  const eye = button('', () => show(input, input.type === 'password'), 'reveal')
  eye.ariaPressed = 'false'
  eye.append(drawEye(), element('span', { class: 'unseen' }, name))
  return element('div', { class: 'entry' }, input, eye)
}

/** Adds the button to each password field of the document. */
export function revealPasswords(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('[type="password"]')) {
    const label = input.previousElementSibling
    label?.after(withRevealButton(input))
  }
}

/** Hides the password: browsers remember text fields, and a shown password is in one. */
export function hidePasswords(form: HTMLFormElement): void {
  for (const input of inputsOf(form)) if (input.parentElement?.className === 'entry') show(input, false)
}

function show(input: HTMLInputElement, isShown: boolean): void {
  input.type = isShown ? 'text' : 'password'
  if (input.nextElementSibling) input.nextElementSibling.ariaPressed = String(isShown)
}

/** An eye; its last stroke crosses it out while the password is hidden. */
function drawEye(): SVGElement {
  const eye = document.createElementNS(svg, 'svg')
  eye.setAttribute('viewBox', '0 0 24 24')
  eye.ariaHidden = 'true'
  for (const d of ['M2 12s4-6.5 10-6.5S22 12 22 12s-4 6.5-10 6.5S2 12 2 12z', 'M12 9a3 3 0 1 0 .01 0', 'M4 4l16 16']) {
    const stroke = document.createElementNS(svg, 'path')
    stroke.setAttribute('d', d)
    eye.append(stroke)
  }
  return eye
}
