import { useEffect, useRef, useState } from 'preact/hooks'
import type { Builder, BuilderProps } from './builder/builder.tsx'

const files = document.querySelector<HTMLElement>('[data-builder]')?.dataset ?? {}

/** From here on it is nearly in view: the next Tab may reach it. */
const margin = '100px'

/** The place of the builder, which is loaded once it comes into view: a visitor who checks a query may never see it. */
export function BuilderPlace(props: Omit<BuilderProps, 'root'>) {
  const root = useRef<HTMLElement>(null)
  /** `false` after a failure. */
  const [Loaded, setLoaded] = useState<typeof Builder | undefined | false>(undefined)

  useEffect(() => {
    const observer = new IntersectionObserver(
      entries => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        Promise.all([import(files.builder ?? ''), addStyle(files.builderStyle ?? '')]).then(
          ([loaded]: [{ Builder: typeof Builder }, unknown]) => setLoaded(() => loaded.Builder),
          () => setLoaded(false),
        )
      },
      { rootMargin: margin },
    )
    if (root.current) observer.observe(root.current)
    return () => observer.disconnect()
  }, [])

  return (
    <section class="card builder" id="build" ref={root} aria-labelledby="builder-heading">
      <h2 id="builder-heading">Build a query</h2>
      {Loaded ? (
        <Loaded {...props} root={root} />
      ) : (
        <p class="note">{Loaded === false ? 'The builder could not be loaded: load the page again.' : 'One moment…'}</p>
      )}
    </section>
  )
}

/** Before the page's own style sheet, whose rules win over the builder's of the same specificity. */
const addStyle = (href: string): Promise<unknown> =>
  new Promise((onload, onerror) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload, onerror })
    document.querySelector('[rel="stylesheet"]')?.before(link)
  })
