import { setUpExplorer } from './explorer.ts'

/** The check, with a person's view and acts. */
export function setUpCheck() {
  const { page, complaints, site, openQuery: open } = setUpExplorer()

  const field = () => page().getByRole('textbox', { name: 'Check a query' })
  const status = () => page().locator('#query-status')
  const findings = () => page().getByRole('region', { name: 'What was found' }).getByRole('listitem')
  const button = (name: string) => page().getByRole('button', { name, exact: true })
  const corrected = () => page().getByRole('region', { name: 'Corrected query' })
  const text = () => field().inputValue()
  const underlined = () => page().locator('.editor mark').allTextContents()
  const hash = () => new URL(page().url()).hash
  const queryInAddress = () => new URLSearchParams(hash().slice(1)).get('q')
  const paste = (query: string) =>
    field().evaluate((field: HTMLTextAreaElement, query) => {
      field.focus()
      document.execCommand('insertText', false, query)
    }, query)

  /** Presses Tab until a button is focused, then presses it. */
  async function pressOn(target: ReturnType<typeof button>): Promise<void> {
    for (let stop = 0; stop < 40; stop++) {
      await page().keyboard.press('Tab')
      if (await target.evaluate(element => element === document.activeElement)) return page().keyboard.press('Enter')
    }
    throw new Error('Tab does not lead to it.')
  }

  return {
    page,
    complaints,
    site,
    open,
    field,
    status,
    findings,
    button,
    corrected,
    text,
    underlined,
    hash,
    queryInAddress,
    paste,
    pressOn,
  }
}
