import { catalogue } from '../catalogue.ts'
import { examples } from './examples.ts'

/** Queries to begin with. */
export function ExampleList({ choose }: { choose(query: string): void }) {
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
