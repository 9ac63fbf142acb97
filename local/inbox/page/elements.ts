/** Finds an element of the page. @throws when it is missing, or of another kind */
export function find<E extends Element>(selector: string, kind: new () => E): E {
  const element = document.querySelector(selector)
  if (!(element instanceof kind)) throw new Error(`the page has no ${selector}`)
  return element
}

/** A text in an element of its own, which isolates its direction from the text around it. */
export function line(name: string, content: string): HTMLElement {
  const element = document.createElement('bdi')
  element.className = name
  element.textContent = content
  return element
}
