// Where somebody is: the language of the examples stands in the address, the section in the contents and in the title.

/** Keeps the chosen language in the address, so that a link to the page has it. */
export function keepLanguage(): void {
  const choices = [...document.querySelectorAll<HTMLInputElement>('[name="language"]')]
  const nameOf = ({ id }: HTMLInputElement) => id.replace('in-', '')
  const wanted = new URLSearchParams(location.search).get('language')
  const choice = choices.find(each => nameOf(each) === wanted)
  if (choice) choice.checked = true
  for (const each of choices)
    each.addEventListener('change', () => {
      const address = new URL(location.href)
      address.searchParams.set('language', nameOf(each))
      history.replaceState(history.state, '', address)
    })
}

/** The line of the window, below the header, at which a section begins to be the one that is read. */
const line = '-15% 0px -85% 0px'

/** Marks the section that is read in the contents, and names it in the title. */
export function followSections(): void {
  const title = document.title
  const links = new Map<Element, HTMLAnchorElement>()
  for (const link of document.querySelectorAll<HTMLAnchorElement>('nav a')) {
    const place = document.getElementById(link.hash.slice(1))
    const section = place?.closest('section, article, tr')
    if (section) links.set(section, link)
  }
  const atLine = new Set<Element>()
  let current: HTMLAnchorElement | undefined
  const observer = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries) isIntersecting ? atLine.add(target) : atLine.delete(target)
      // The contents have the order of the page, and an operation follows the section that holds it.
      const next = [...links].findLast(([section]) => atLine.has(section))?.[1]
      if (next === current) return
      current?.removeAttribute('aria-current')
      next?.setAttribute('aria-current', 'true')
      current = next
      document.title = next ? `${next.textContent} \u00b7 ${title}` : title
    },
    { rootMargin: line },
  )
  for (const section of links.keys()) observer.observe(section)
}
