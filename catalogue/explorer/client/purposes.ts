// The modules' purposes, read from the index page's own list, so that no script repeats them there.
import { once } from '../../../shared/prebuilt/pack.ts'

/** By module: its purpose in one sentence. */
export type Purposes = ReadonlyMap<string, string>

/** Of all modules on the index page; on others of those that the page names. */
export const listedPurposes = once((): Purposes => {
  const textOf = (element: Element, selector: string) => element.querySelector(selector)?.textContent ?? ''
  return new Map([...document.querySelectorAll('.modules li')].map(each => [textOf(each, 'a'), textOf(each, '.says')]))
})
