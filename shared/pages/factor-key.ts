import { toSvg } from 'lean-qr/extras/svg'
import { generate } from 'lean-qr/nano'
import { fillText, withoutBreaks } from '../words/fill.ts'
import { product } from './form.ts'
import { copyButton, element, paragraph, saveButton, sayIn } from './nodes.ts'
import { setup } from './words.ts'

/** The API's answer for an authenticator app. */
export interface Setup {
  /** In base32. */
  secret: string
  /** With the scheme `otpauth`, which apps register. */
  uri: string
}

/** Shows a key: a code to scan, a link for a device with both page and app, and the key itself. */
export function showKey({ secret, uri }: Setup): Node[] {
  const key = element('code', { class: 'secret' }, secret.replaceAll(/.{4}(?=.)/g, '$& '))
  return [
    paragraph(setup.scan),
    drawQrCode(uri),
    paragraph(setup.orType),
    element('p', {}, key),
    element(
      'div',
      { class: 'act' },
      element('a', { class: 'button plain', href: uri }, setup.openApp),
      ...copyButton(setup.copyKey, secret, key),
    ),
  ]
}

/**
 * Draws a QR code (ISO/IEC 18004) in nodes: Trusted Types allow no markup from text. Dark on white even in dark mode,
 * with the standard's margin of four modules, because some apps read nothing else.
 */
function drawQrCode(text: string): SVGElement {
  const code = toSvg(generate(text), document, { on: '#000', off: '#fff', pad: 4 })
  code.setAttribute('class', 'qr-code')
  code.role = 'img'
  sayIn(code, 'aria-label', setup.qrCode)
  return code
}

/** Shows recovery codes, and the ways to keep them. */
export function showCodes(codes: readonly string[]): Node[] {
  const list = element('ul', { class: 'codes' }, ...codes.map(code => element('li', {}, code)))
  const text = codes.join('\n')
  const file = `${withoutBreaks(fillText(setup.codesFile(), { product }))}.txt`
  const [copy, told] = copyButton(setup.copyCodes, text, list)
  return [list, element('div', { class: 'act' }, copy, saveButton(setup.saveCodes, file, `${file}\n\n${text}\n`), told)]
}
