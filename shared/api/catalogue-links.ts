import type { Links } from '../catalogue/build/answers.ts'
import { requests } from '../catalogue/model.ts'
import { listParameters } from '../catalogue/serve/filters.ts'
import { type Route, routes } from './routes.ts'

const linked = Object.values<Route>(routes).flatMap(({ link, on, query, asks }) => {
  const [, path = ''] = on.split(' ')
  const fields = Object.keys(asks ? requests[asks].entries : query === 'filters' ? listParameters : {})
  return link ? [{ link, path, asks, template: fields.length > 0 ? `${path}{?${fields.join()}}` : path }] : []
})

/** The links of `GET /catalogue`, from the route table. */
export const catalogueLinks: Links = {
  links: Object.fromEntries(
    linked.flatMap(({ link, path, asks }) => (path.includes('{') || asks ? [] : [[link, path]])),
  ),
  link_templates: Object.fromEntries(
    linked.flatMap(({ link, template }) => (template.includes('{') ? [[link, template]] : [])),
  ),
}
