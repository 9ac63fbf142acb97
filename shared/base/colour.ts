/** Colours as `#rrggbb`, and their contrast. */

const channels = (colour: string): number[] => [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16))

/** WCAG 2.2, "relative luminance". */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map(channel => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2, "contrast ratio": 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** A colour mixed with a share of another, from 0 to 1. */
function mix(colour: string, other: string, share: number): string {
  const added = channels(other)
  const mixed = channels(colour).map((channel, i) => Math.round(channel + ((added[i] ?? 0) - channel) * share))
  return `#${mixed.map(channel => channel.toString(16).padStart(2, '0')).join('')}`
}

/** The card of pages in the dark (`shared/pages/base.css`). */
const darkCard = '#1b212a'

/** WCAG 2.2, 1.4.6: enhanced contrast, because light text on dark looks thinner. */
const enoughInTheDark = 7

/** An accent colour, lightened until it is readable on a dark card. */
export function inTheDark(accent: string): string {
  const shades = Array.from({ length: 20 }, (_, i) => mix(accent, '#ffffff', i / 20))
  return shades.find(shade => contrast(shade, darkCard) >= enoughInTheDark) ?? '#ffffff'
}

/**
 * The style sheet of an accent colour. In dark mode the colour is lightened until readable; a pressed button is darker
 * in light mode, and lighter in dark.
 */
export function accentSheet(accent: string): string {
  const light = inTheDark(accent)
  const rule = (colour: string, pressed: string) => `:root{--accent:${colour};--accent-pressed:${pressed}}`
  return (
    rule(accent, mix(accent, '#000000', 0.2)) +
    `@media (prefers-color-scheme:dark){${rule(light, mix(light, '#ffffff', 0.3))}}`
  )
}
