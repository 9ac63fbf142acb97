// Mistakes that people make, to see what the check says of them.
import type { CompactCatalogue } from '../../../validate/compact.ts'

export type Example = { says: string; query: string }

export function examples({ sets }: CompactCatalogue): Example[] {
  return [
    { says: 'A generator’s parameter without its g', query: 'generator=links&titles=A&plnamespace=0' },
    { says: 'A parameter whose module is missing', query: 'prop=info&titles=A&clshow=!hidden' },
    { says: 'The prefix of another module', query: 'prop=categories&titles=A&pllimit=5' },
    { says: 'No prefix at all', query: 'list=search&srsearch=a&limit=5' },
    { says: 'A typing error in a name', query: 'list=allpages&aplmit=5' },
    { says: 'A value that does not exist', query: 'list=logevents&letype=stable' },
    { says: 'A parameter for one page, with two pages', query: 'prop=revisions&titles=A|B&rvlimit=1' },
    { says: 'More values than most may send', query: `list=allusers&aurights=${sets.RIGHTS?.join('|')}` },
    { says: 'A ? in a value, which is fine', query: 'list=search&srsearch=why?&srlimit=5' },
  ]
}
