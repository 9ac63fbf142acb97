// Replaces a field's text as if the differing part had been typed.

/**
 * Puts `text` into a field so that Undo restores the old text. The caret is behind the new part, and the page does not scroll.
 *
 * @returns whether it was possible: touch keyboards would open, and have no Undo
 */
export function rewrite(field: HTMLTextAreaElement, text: string): boolean {
  const old = field.value
  if (old === text) return true
  if (matchMedia('(hover: none)').matches) return false
  const [start, end] = common(old, text)
  const top = scrollY
  field.focus({ preventScroll: true })
  field.setSelectionRange(start, old.length - end)
  const added = text.slice(start, text.length - end)
  const isDone = document.execCommand(added === '' ? 'delete' : 'insertText', false, added)
  scrollTo({ top, behavior: 'instant' })
  return isDone && field.value === text
}

/** The lengths of the common start and end of two texts, in whole characters. */
export function common(one: string, other: string): [start: number, end: number] {
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start++
  if (/[\ud800-\udbff]/.test(one[start - 1] ?? '')) start--
  let end = 0
  while (end < most - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++
  if (/[\udc00-\udfff]/.test(one[one.length - end] ?? '')) end--
  return [start, end]
}
