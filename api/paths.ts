import { clientPaths, providerPaths } from './needs.ts'
import { functionNames, routeKeysOf } from './route-keys.ts'
import { routes, type ServedRow } from './routes.ts'

/** A path that the API answers, or a pattern of API Gateway's for several. */
interface Path {
  path: string
  /** Those of its own routes; none where a pattern takes it. */
  methods: readonly string[]
  /** Whether a browser can open it. Other paths are for programs. */
  isOpenable: boolean
  /** Whether it is a page that takes a language. The catalogue's refuse a query that they do not know. */
  isTranslated: boolean
  /** It is an unknown one where OIDC_CLIENTS lists no applications. */
  needsClients?: true
  /** The same of SIGN_IN_PROVIDERS. */
  needsProviders?: true
}

const pathOf = (key: string): string => key.slice(key.indexOf('/'))
const keys = Map.groupBy(functionNames.flatMap(routeKeysOf), pathOf)
const rows = Map.groupBy(Object.values<ServedRow>(routes), ({ on }) => pathOf(on))
const pages = [...rows].flatMap(([path, at]) => (at.some(({ reply }) => reply === 'page') ? [path] : []))

/** Paths with routes of their own, then the other pages. The build writes it out: to read the route table costs a cold start more. */
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
