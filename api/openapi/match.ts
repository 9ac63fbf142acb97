import { addressed } from '../../catalogue/fixed-names.ts'
import { pathOf } from '../route-keys.ts'
import { type Route, type RouteName, routes } from '../routes.ts'
import type { DescribedOperation, OpenapiDocument } from './document.ts'
import type { Schema } from './schemas.ts'

/** A module's path without the `query+` of the described path; its bare name may follow at once. */
const spelled = new RegExp(`^(/catalogue/(?:modules/)?)(?:${addressed.source.slice(1)})?([^/]+)`)

/** The operation of a request. @param path decoded, without its query */
export function findOperation(
  { paths, components }: OpenapiDocument,
  method: string,
  path: string,
): { template: string; operation: DescribedOperation } | null {
  // Paths without variables match first (OpenAPI 3.1.1, "Path Templating Matching").
  const templates = Object.keys(paths).sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
  for (const candidate of [path, path.replace(spelled, '$1query+$2')]) {
    const template = templates.find(each => patternOf(each).test(candidate))
    const operation = template && Object.entries(paths[template] ?? {}).find(([name]) => name.toUpperCase() === method)
    if (template && operation && (candidate === path || isModule(operation[1], path, components.schemas)))
      return { template, operation: operation[1] }
  }
  return null
}

/** Whether a path is a page, or a file that pages load. */
export const isPage = (path: string): boolean =>
  (Object.entries(routes) as [RouteName, Route][]).some(
    ([name, { reply }]) => reply === 'page' && patternOf(pathOf(name)).test(path),
  )

/** A bare name counts as a module if there is a module of that name. */
function isModule({ parameters = [] }: DescribedOperation, path: string, schemas: Record<string, Schema>): boolean {
  const [, , name = ''] = spelled.exec(path) ?? []
  const { schema } = parameters.find(parameter => parameter.in === 'path' && parameter.name === 'name') ?? {}
  const names = schema?.$ref ? schemas[schema.$ref.replace(/^.*\//, '')] : schema
  return names?.enum?.includes(name) ?? false
}

const patternOf = (template: string): RegExp => {
  const literals = template.split(/\{\w+\}/).map(literal => literal.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literals.join('[^/]+')}$`)
}
