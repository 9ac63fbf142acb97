import { clientPaths, providerPaths } from './needs.ts'
import { functionNames, routeKeysOf } from './route-keys.ts'
import { routes, type ServedRow } from './routes.ts'

/** A path of the API, or an API Gateway pattern for several. */
interface Path {
  path: string
  /** Of its own routes; empty where a pattern covers it. */
  methods: readonly string[]
  /** Whether browsers can open it. Other paths are for programs. */
  isOpenable: boolean
  /** Whether it is a page that takes a language. The catalogue's pages refuse unknown queries. */
  isTranslated: boolean
  /** Unknown where OIDC_CLIENTS lists no applications. */
  needsClients?: true
  /** Unknown where SIGN_IN_PROVIDERS lists no providers. */
  needsProviders?: true
}

const pathOf = (key: string): string => key.slice(key.indexOf('/'))
const keys = Map.groupBy(functionNames.flatMap(routeKeysOf), pathOf)
const rows = Map.groupBy(Object.values<ServedRow>(routes), ({ on }) => pathOf(on))
const pages = [...rows].flatMap(([path, at]) => (at.some(({ reply }) => reply === 'page') ? [path] : []))

/** Paths with their own routes, then the other pages. The build writes them out, because loading the route table slows the cold start. */
export const paths: readonly Path[] = [...new Set([...keys.keys(), ...pages])].map(path => {
  const at = rows.get(path) ?? []
  return {
    path,
    methods: keys.get(path)?.map(key => key.slice(0, key.indexOf(' '))) ?? [],
    isOpenable: at.some(({ on, access }) => access !== 'bearer' && on.startsWith('GET')),
    isTranslated: at.some(({ reply, function: name }) => reply === 'page' && name === 'pages'),
    ...(clientPaths.has(path) && { needsClients: true }),
    ...(providerPaths.has(path) && { needsProviders: true }),
  }
})
