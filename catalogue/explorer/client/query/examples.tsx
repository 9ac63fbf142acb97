import type { CompactCatalogue } from '../../../validate/compact.ts'
import recipes from '../../../words/recipes.json' with { type: 'json' }

/** A goal or a mistake, with its query. */
type Example = { says: string; query: string }

/** Common mistakes, to see the check's findings. */
export function examples({ sets }: CompactCatalogue): Example[] {
  return [
    { says: 'A mistake: a generator’s name without g', query: 'generator=links&titles=A&plnamespace=0' },
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

/** The number of examples at first. The others are behind "More". */
const first = { recipes: 6, mistakes: 2 }

export function ExampleList({ catalogue, choose }: { catalogue: CompactCatalogue; choose(query: string): void }) {
  const mistakes = examples(catalogue)
  return (
    <section class="examples" aria-labelledby="examples-heading">
      <h2 id="examples-heading">Begin with an example</h2>
      <Queries of={[...recipes.slice(0, first.recipes), ...mistakes.slice(0, first.mistakes)]} choose={choose} />
      <details>
        <summary>More</summary>
        <Queries of={recipes.slice(first.recipes)} choose={choose} />
        <h3>Mistakes that people make</h3>
        <Queries of={mistakes.slice(first.mistakes)} choose={choose} />
      </details>
    </section>
  )
}

function Queries({ of, choose }: { of: readonly Example[]; choose(query: string): void }) {
  return (
    <ul>
      {of.map(({ says, query }) => (
        <li key={says}>
          <button type="button" class="plain" onClick={() => choose(query)}>
            <span>{says}</span>
            <code>{query}</code>
          </button>
        </li>
      ))}
    </ul>
  )
}
