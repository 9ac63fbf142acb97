/** Focuses the search by a slash, except where a slash can be typed. */
export function focusOnSlash(field: { readonly current: HTMLInputElement | null }): () => void {
  const press = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event
    if (key !== '/' || ctrlKey || metaKey || altKey || defaultPrevented) return
    if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))) return
    event.preventDefault()
    field.current?.focus()
    field.current?.select()
  }
  document.addEventListener('keydown', press)
  return () => document.removeEventListener('keydown', press)
}
