// Where the explorer's pages and anchors are. The pages are written with these, and the script finds them by these.

/** The page that lists all modules for people; every other page of the explorer lies below it. */
export const indexPage = '/catalogue/explore'

const pathStart = 'query+'

/** A module's path, `query+<name>`. */
export const modulePath = (name: string): string => pathStart + name

export const bareName = (path: string): string => path.slice(path.startsWith(pathStart) ? pathStart.length : 0)

export const modulePage = (path: string): string => `${indexPage}/${path}`

export const setPage = (name: string): string => `${indexPage}/sets/${name}`

export const checkOf = (query: string): string => `${indexPage}#q=${encodeURIComponent(query)}`

/** The id of a parameter's value. That of a parameter is its bare name: it holds no `=`. */
export const valueId = (parameter: string, value: string): string => `${parameter}=${value}`

/** The id of a name of the query as a whole, on the index. */
export const queryNameId = (name: string): string => `name-${name}`

/** An id as the fragment of an address (RFC 3986 §3.5). */
export const fragment = (id: string): string => `#${encodeURI(id)}`
