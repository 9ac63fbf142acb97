// What the measurements ask for: paths, and queries to add to them.

/** The path of the whole catalogue in one answer. */
export const everything = '/catalogue/export/catalogue.json'

/** The path of the API's description. */
export const description = '/openapi.json'

/** MediaWiki's paraminfo API, as the catalogue answers it. */
export const facade = '/catalogue/w/api.php'
export const oneParaminfo = 'action=paraminfo&format=json&modules=query%2Ballpages'
export const allParaminfo = 'action=paraminfo&format=json&modules=query%2B*'

/** The longest answer to a search of two letters. No build writes it. */
export const longestList = 'q=in&expand=parameters'
