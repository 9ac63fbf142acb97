import type { Page } from 'playwright-core'

/** People's acts on the account page, by visible and spoken names. */
export function onAccountPage(page: () => Page) {
  const form = (submit: string) =>
    page()
      .locator('form')
      .filter({ has: page().getByRole('button', { name: submit, exact: true }) })

  const button = (name: string) => page().getByRole('button', { name, exact: true })
  const field = (submit: string, label: string) => form(submit).getByLabel(label, { exact: true })
  const focused = () => page().evaluate(() => document.activeElement?.id || document.activeElement?.textContent)

  /** Waits for a view by its heading. */
  const seeHeading = (name: string) => page().getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const see = (text: string) => page().getByText(text).filter({ visible: true }).first().waitFor()

  /** Fills in the form with this button, by labels, and presses it. */
  async function send(submit: string, typed: Record<string, string> = {}): Promise<void> {
    for (const [label, text] of Object.entries(typed)) await field(submit, label).fill(text)
    await form(submit).getByRole('button', { name: submit, exact: true }).click()
  }

  async function follow(link: string, heading: string): Promise<void> {
    await page().getByRole('link', { name: link, exact: true }).click()
    await seeHeading(heading)
  }

  /** Opens the form of a row by its button. */
  const open = (opener: string) => button(opener).click()

  /** Opens a row's form, fills it in and sends it. */
  async function change(submit: string, typed: Record<string, string> = {}, opener = submit): Promise<void> {
    await open(opener)
    await send(submit, typed)
  }

  /** Logs in, in a view that asks for it. */
  async function logIn(email: string, password: string, { stay = true } = {}): Promise<void> {
    if (!stay) await page().getByLabel('Keep me logged in in this tab').uncheck()
    await send('Log in', { 'Email address': email, Password: password })
  }

  /** Logs in, and waits for a section. @param visit opens the page at a fragment */
  async function enter(visit: (fragment: string) => Promise<unknown>, section: 'Profile' | 'Security' | 'Sessions') {
    await visit(`#${section.toLowerCase()}`)
    await logIn('ada@example.com', 'correct horse')
    await seeHeading(section)
  }

  /** The message at a field marked as wrong. */
  async function errorAt(submit: string, label: string): Promise<string> {
    const wrong = field(submit, label)
    await wrong.and(page().locator('[aria-invalid="true"]')).waitFor()
    const [id] = ((await wrong.getAttribute('aria-describedby')) ?? '').split(' ')
    return page().locator(`#${id}`).innerText()
  }

  return { form, button, field, focused, seeHeading, see, open, send, change, follow, logIn, enter, errorAt }
}
