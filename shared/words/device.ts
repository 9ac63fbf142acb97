import { fillText } from './fill.ts'

/** Names of devices are data, such as `Chrome, Linux`: somebody may read them in another language later, so words come when they are shown. */

/** What user agents say, each after those that also include it; and its name, where that is another. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox'],
  ['FxiOS', 'Firefox'],
  ['Chrome'],
  ['CriOS', 'Chrome'],
  ['Safari'],
] as const
const systems = [
  ['iPhone'],
  ['iPad'],
  ['Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows'],
  ['Mac OS', 'macOS'],
  ['Linux'],
] as const

type Known = readonly (readonly [mark: string, name?: string])[]

const separator = ', '

/** The name of a device, or empty. The service stores no user agent. */
export const nameDevice = (agent: string): string =>
  [browsers, systems]
    .map((known: Known) => known.find(([mark]) => agent.includes(mark)))
    .flatMap(found => (found ? [found[1] ?? found[0]] : []))
    .join(separator)

/** A name for people: that of a device in words, any other as it was given. @param words with the gaps `browser` and `system` */
export function sayDevice(label: string, words: string): string {
  const [browser = '', system = '', ...more] = label.split(separator)
  const isIn = (known: Known, name: string) => known.some(([mark, other = mark]) => other === name)
  const isDevice = isIn(browsers, browser) && isIn(systems, system) && more.length === 0
  return isDevice ? fillText(words, { browser, system }) : label
}
