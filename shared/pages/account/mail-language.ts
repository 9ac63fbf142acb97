import { element } from '../nodes.ts'
import { languageLinks } from '../switch.ts'
import { controls, tag, texts } from '../words.ts'
import { makeForm } from './form.ts'
import { makeRow } from './row.ts'
import { call } from './service.ts'
import type { Account } from './view.ts'

/** The row for the language of mails. */
export function mailLanguageRow(changed: (account: Account) => void) {
  const row = makeRow({ heading: controls.mailLanguage, opener: controls.changeLanguage, isReplaced: true })
  const names = languageLinks.map(({ hreflang, lang, dir, textContent }) => ({
    hreflang,
    lang,
    dir,
    name: textContent,
  }))
  const id = 'language'
  const select = element(
    'select',
    { id },
    ...names.map(({ hreflang, lang, dir, name }) => element('option', { value: hreflang, lang, dir }, name)),
  )
  let present: string | null = null
  row.hold(
    makeForm<Account>({
      name: 'language-form',
      choice: element('div', { class: 'field' }, element('label', { for: id }, controls.mailLanguage), select),
      submit: controls.saveLanguage,
      send: () => call('PUT', '/auth/me', { language: select.value }),
      done: account => {
        const isNew = account.language !== present
        changed(account)
        row.finish(isNew ? () => `${texts.languageSaved()} ${texts.warningsLater()}` : texts.languageSaved)
        return undefined
      },
    }),
  )

  function show({ language = null }: Account): void {
    present = language
    const chosen = names.find(({ hreflang }) => hreflang === language)
    row.show(
      chosen
        ? element('span', { lang: chosen.lang, dir: chosen.dir }, chosen.name)
        : element('span', { class: 'hint' }, texts.noLanguage),
    )
    for (const option of select.options) option.defaultSelected = option.value === (language ?? tag())
  }
  return { root: row.root, show }
}
