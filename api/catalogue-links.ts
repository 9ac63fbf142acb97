import type { Links } from '../catalogue/build/answers.ts'
import { requests } from '../catalogue/model.ts'
import { listParameters } from '../catalogue/serve/filters.ts'
import { type Route, routes } from './routes.ts'

const linked = Object.values<Route>(routes).flatMap(({ link, on, query, fields }) => {
  const [, path = ''] = on.split(' ')
  const names = Object.keys(fields ? requests[fields].entries : query === 'filters' ? listParameters : {})
  return link ? [{ link, path, fields, template: names.length > 0 ? `${path}{?${names.join()}}` : path }] : []
})

/** The links of `GET /catalogue`, from the route table. */
export const catalogueLinks: Links = {
  links: Object.fromEntries(
    linked.flatMap(({ link, path, fields }) => (path.includes('{') || fields ? [] : [[link, path]])),
  ),
  link_templates: Object.fromEntries(
    linked.flatMap(({ link, template }) => (template.includes('{') ? [[link, template]] : [])),
  ),
}
