import { fillText, withoutBreaks } from '../../words/fill.ts'
import { texts } from '../words.ts'

/** Each after those that also include its name. */
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

/** A name for this device in the list of sessions, or empty. The service stores no user agent. */
export function deviceName(agent = navigator.userAgent): string {
  const nameIn = (known: readonly (readonly [mark: string, name?: string])[]) => {
    const [mark, name = mark] = known.find(([mark]) => agent.includes(mark)) ?? []
    return name ?? ''
  }
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  return browser && system ? fillText(withoutBreaks(texts.device()), { browser, system }) : browser || system
}
