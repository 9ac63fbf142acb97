// Addresses of the explorer's pages and anchors, shared by the pages and their script.

/** The page that lists all modules for people; the explorer's other pages are below it. */
export const indexPage = '/catalogue/explore'

const pathStart = 'query+'

/** A module's path, `query+<name>`. */
export const modulePath = (name: string): string => pathStart + name

export const bareName = (path: string): string => path.slice(pathStart.length)

export const modulePage = (path: string): string => `${indexPage}/${path}`

export const setPage = (name: string): string => `${indexPage}/sets/${name}`

export const checkOf = (query: string): string => `${indexPage}#q=${encodeURIComponent(query)}`

/** The id of a parameter's value. A parameter's id is its bare name, which contains no `=`. */
export const valueId = (parameter: string, value: string): string => `${parameter}=${value}`

/** The id of a query-level name, on the index. */
export const queryNameId = (name: string): string => `name-${name}`

/** An id as the fragment of an address (RFC 3986 §3.5). */
export const fragment = (id: string): string => `#${encodeURI(id)}`
