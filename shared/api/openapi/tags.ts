/** The tags of operations: the beginnings of their paths, and their descriptions in the document. */
const tags = [
  {
    name: 'accounts',
    paths: '/auth/',
    description: 'Opening, using and deleting accounts; access tokens; forgotten passwords; verified addresses.',
  },
  {
    name: 'keys',
    paths: '/auth/.well-known/',
    description: 'The public keys by which other services verify access tokens, and where they are.',
  },
  {
    name: 'catalogue',
    paths: '/catalogue',
    description:
      'The read-only catalogue of query modules, their parameters and values. On AWS, CloudFront serves it too.',
  },
  { name: 'description', paths: '/openapi.json', description: 'This document.' },
] as const

export const describedTags = tags.map(({ name, description }) => ({ name, description }))

/** The tag of a path; undefined for what is not described: the pages, and paths that are not there. */
export const tagOf = (path: string): string | undefined => tags.findLast(({ paths }) => path.startsWith(paths))?.name
