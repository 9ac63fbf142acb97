import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { allLanguages } from '../../shared/words/pseudo.ts'
import { findBarriers, inWords, scrollsSideways } from './support.ts'

const others = Object.keys(allLanguages).filter(tag => tag !== 'en')

/** All languages, including those made from English. */
export const offered = ['en', ...others]

/** Switches a page's language, even if the switch is hidden, and waits for it. An expression for the page: its value is a promise. */
export const speaking = (tag: string): string => `new Promise(resolve => {
  const link = document.querySelector('.languages a[hreflang="${tag}"]')
  const isSpoken = () =>
    link.ariaCurrent === 'true' && location.search === link.search && resolve(document.documentElement.lang)
  new MutationObserver(isSpoken).observe(link, { attributes: true })
  link.click()
  isSpoken()
})`

export async function speak(page: Page, tag: string): Promise<void> {
  expect(await page.evaluate(speaking(tag))).toBe(tag)
}

/**
 * A page's texts with a plain letter, shown, spoken or in attributes. Except values: in `<bdi>` or `<code>`, times,
 * paths, recovery codes, languages' own names, and the given texts. An expression for the page.
 */
export const plainTexts = (values: readonly string[]): string => `(() => {
  const isValue = node => node.parentElement.closest('bdi, time, code, .codes, script, style, noscript, [lang]:not(html)')
  const said = [document.title]
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) if (!isValue(walker.currentNode)) said.push(walker.currentNode.data)
  for (const element of document.body.querySelectorAll('*')) {
    for (const name of ['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'alt', 'placeholder', 'title']) {
      if (element.localName !== 'time') said.push(element.getAttribute(name) ?? '')
    }
    for (const pseudo of ['::before', '::after', '::marker']) {
      said.push(...(getComputedStyle(element, pseudo).content.match(/"[^"]*"/g) ?? []))
    }
  }
  const values = ${JSON.stringify(values)}
  return said
    .map(text => values.reduce((rest, value) => rest.replaceAll(value, ''), text).replace(/(in )?\\d+ (seconds?|minutes?|hours?|days?)|\\/[\\w/-]+/g, ''))
    .filter(text => /[a-z]/i.test(text))
})()`

/**
 * Switches a page in any state to each language and back: no words bring a barrier or scroll it sideways, and nothing else changes.
 *
 * @param look further checks in a language
 */
export async function speakAll(page: Page, look: (tag: string) => Promise<void> = async () => {}): Promise<void> {
  // Text shown while the page works, and announcements of it, are not part of its state.
  const state = () =>
    page.evaluate(() => [
      document.title,
      document.body.innerHTML.replace(/(?<=class="unseen" role="status">)[^<]*/, ''),
      [...document.querySelectorAll('input')].map(({ value, checked, id }) => [id, value, checked]),
    ])
  await speak(page, 'en')
  const before = await state()
  for (const tag of others) {
    await speak(page, tag)
    expect({ tag, barriers: await findBarriers(page, inWords) }).toEqual({ tag, barriers: [] })
    expect({ tag, scrolls: await scrollsSideways(page) }).toEqual({ tag, scrolls: false })
    await look(tag)
  }
  await speak(page, 'en')
  expect(await state()).toEqual(before)
}
