import type { CompactCatalogue } from '../../../shared/catalogue/validate/compact.ts'

/** A mistake that people make, to see what the check says of it. */
type Example = { says: string; query: string }

export function examples({ sets }: CompactCatalogue): Example[] {
  return [
    { says: 'A generator’s name without g', query: 'generator=links&titles=A&plnamespace=0' },
    { says: 'A parameter, but not its module', query: 'prop=info&titles=A&clshow=!hidden' },
    { says: 'Another module’s prefix', query: 'prop=categories&titles=A&pllimit=5' },
    { says: 'No prefix', query: 'list=search&srsearch=a&limit=5' },
    { says: 'A typing error', query: 'list=allpages&aplmit=5' },
    { says: 'A value that does not exist', query: 'list=logevents&letype=stable' },
    { says: 'A limit for one page, on two', query: 'prop=revisions&titles=A|B&rvlimit=1' },
    { says: 'More values than most may send', query: `list=allusers&aurights=${sets.RIGHTS?.join('|')}` },
    { says: 'A ? in a value, which is right', query: 'list=search&srsearch=why?&srlimit=5' },
  ]
}

export function ExampleList({ catalogue, choose }: { catalogue: CompactCatalogue; choose(query: string): void }) {
  return (
    <section class="card examples" aria-labelledby="examples-heading">
      <h2 id="examples-heading">Or try a mistake that people make</h2>
      <ul>
        {examples(catalogue).map(({ says, query }) => (
          <li key={says}>
            <button type="button" class="plain" onClick={() => choose(query)}>
              <span>{says}</span>
              <code>{query}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
