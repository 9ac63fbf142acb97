// Leaves out of bundles what only the stack, the documents and the tests read of the route table: most of its bytes.
import type { Plugin } from 'esbuild'
import { functions, routes, servedMembers } from '../../shared/api/routes.ts'

/** The table as JSON, each row with the members that functions read while they serve. */
function served(table: Record<string, object>): string {
  const rows = Object.entries(table).map(([name, row]): [string, object] => [
    name,
    Object.fromEntries(Object.entries(row).filter(([member]) => servedMembers.some(known => known === member))),
  ])
  return JSON.stringify(Object.fromEntries(rows))
}

export const trimRoutes: Plugin = {
  name: 'trim-routes',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]shared[\\/]api[\\/]routes\.ts$/ }, () => ({
      contents: `export const routes = ${served(routes)}\nexport const functions = ${served(functions)}`,
    }))
  },
}
