/** Common mistakes: the rule for each, the underlined part, the first fix, and the query after it. */
export const mistakes = [
  {
    query: 'generator=links&titles=A&plnamespace=0',
    rule: 'generator-prefix-missing',
    underlined: 'plnamespace',
    fix: 'Write gplnamespace',
    mended: 'generator=links&titles=A&gplnamespace=0',
  },
  {
    query: 'prop=info&titles=A&clshow=!hidden',
    rule: 'module-not-requested',
    underlined: 'clshow',
    fix: 'Add prop=categories',
    mended: 'prop=info%7Ccategories&titles=A&clshow=!hidden',
  },
  {
    query: 'prop=categories&titles=A&pllimit=5',
    rule: 'wrong-prefix',
    underlined: 'pllimit',
    fix: 'Write cllimit',
    mended: 'prop=categories&titles=A&cllimit=5',
  },
  {
    query: 'list=search&srsearch=a&limit=5',
    rule: 'missing-prefix',
    underlined: 'limit',
    fix: 'Write srlimit',
    mended: 'list=search&srsearch=a&srlimit=5',
  },
  {
    query: 'prop=revisions&titles=A|B&rvlimit=1',
    rule: 'condition',
    underlined: 'rvlimit=1',
    fix: 'Remove rvlimit',
    mended: 'prop=revisions&titles=A|B',
  },
  {
    query: 'list=logevents&letype=stable',
    rule: 'bad-value',
    underlined: 'stable',
    fix: 'Remove letype',
    mended: 'list=logevents',
  },
  {
    query: 'list=allpages&aplmit=5',
    rule: 'unknown-parameter',
    underlined: 'aplmit',
    fix: 'Write aplimit',
    mended: 'list=allpages&aplimit=5',
  },
] as const

/** It looks like a mistake, but a value may contain a question mark. */
export const noMistake = 'list=search&srsearch=why?&srlimit=5'
