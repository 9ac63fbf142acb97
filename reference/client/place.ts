// The reader's place: the language of examples in the address, the section in the contents and the title.

/** Keeps the chosen language in the address, so that links to the page have it. */
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

/** The line below the header at which a section becomes the current one. */
const line = '-15% 0px -85% 0px'

/** Marks the current section in the contents, and names it in the title. */
export function followSections(): void {
  const title = document.title
  const links = new Map<Element, HTMLAnchorElement>()
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.side a')) {
    const place = document.getElementById(link.hash.slice(1))
    const section = place?.closest('section, article, tr')
    if (section) links.set(section, link)
  }
  const atLine = new Set<Element>()
  let current: HTMLAnchorElement | undefined
  const observer = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries) isIntersecting ? atLine.add(target) : atLine.delete(target)
      // The contents follow the page's order, and an operation follows its section.
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

/** After the first layout of what is near, and after that of what this brings near. */
const frames = 2

/** Goes on to the target of the address: laying out what stands before it for the first time moves it. */
export function reachTarget(): void {
  const goOn = (left: number) => {
    document.querySelector(':target')?.scrollIntoView()
    if (left > 1) requestAnimationFrame(() => goOn(left - 1))
  }
  addEventListener('hashchange', () => requestAnimationFrame(() => goOn(frames)))
}
