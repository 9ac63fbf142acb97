import { toSvg } from 'lean-qr/extras/svg'
import { generate } from 'lean-qr/nano'

/**
 * Draws a text as a QR code (ISO/IEC 18004), in nodes: Trusted Types allow no markup from text. Dark on white in the dark
 * too, with the standard's margin of four modules, because some apps read nothing else.
 *
 * @param name what it is, for people who cannot see it
 */
export function drawQrCode(text: string, name: string): SVGElement {
  const code = toSvg(generate(text), document, { on: '#000', off: '#fff', pad: 4 })
  code.setAttribute('class', 'qr-code')
  code.role = 'img'
  code.ariaLabel = name
  return code
}
