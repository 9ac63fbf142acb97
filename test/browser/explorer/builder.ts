import { setUpExplorer } from './explorer.ts'

/** The builder, with a person's view and acts. */
export function setUpBuilder() {
  const { page, complaints, openQuery, lateParts } = setUpExplorer()

  /** The index, with the builder in view, which loads it. */
  const open: typeof openQuery = async (...given) => {
    await openQuery(...given)
    await builder().scrollIntoViewIfNeeded()
    await builder().locator('select#module').waitFor()
  }

  const builder = () => page().getByRole('region', { name: 'Build a query' })
  const text = () => page().getByRole('textbox', { name: 'Check a query' }).inputValue()
  const field = (name: string) => builder().locator(`#field-${name}`)
  const notes = (name: string) => builder().locator(`#field-${name}-notes`)
  const card = (name: string) => builder().getByRole('region', { name })
  const chip = (name: string, value: string) =>
    builder()
      .getByRole('list', { name: `Values of ${name}` })
      .getByRole('button', { name: `Remove ${value}`, exact: true })
  const focused = () =>
    page().evaluate(
      () => document.activeElement?.id || document.activeElement?.textContent || document.activeElement?.tagName,
    )
  const more = (module: string) => card(module).locator('> details > summary')
  const choose = async (module: string) => {
    await builder().locator('select#module').selectOption(module)
    await builder().getByRole('button', { name: 'Add', exact: true }).first().click()
    await lateParts()
  }

  return { page, complaints, open, builder, text, field, notes, card, chip, focused, more, choose }
}
