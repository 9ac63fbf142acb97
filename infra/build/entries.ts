import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { rows } from '../../api/needs.ts'
import { membersFor } from '../../api/parts.ts'
import type { FunctionName } from '../../api/routes.ts'

export const root = join(import.meta.dirname, '../..')

/** The name by which the build finds the entry of a function's bundle. */
export const entryName = (name: string): string => `entry:${name}`

/**
 * The module that Lambda loads: a function's answer, bound to the parts of the outside world that its row grants. It is TypeScript,
 * as if it lay beside package.json.
 */
export function entryOf(name: FunctionName): string {
  const answer = JSON.stringify(`./functions/${name}.ts`)
  if (rows[name].isBare) return `export { handler } from ${answer}`
  const parts = [...membersFor(name)].map(([member, { isRare }]) => {
    const builder = isRare ? `rare${member.charAt(0).toUpperCase()}${member.slice(1)}` : member
    return { builder, member: `${member}: ${builder}()` }
  })
  return [
    `import answer from ${answer}`,
    'import { lambda } from "./api/lambda.ts"',
    `import { ${['system', ...parts.map(({ builder }) => builder)].join(', ')} } from "./api/live.ts"`,
    `export const handler = lambda(answer, () => ({ ${['...system', ...parts.map(({ member }) => member)].join(', ')} }))`,
  ].join('\n')
}

/** Has the build bundle entries that no file holds. */
export const entries: Plugin = {
  name: 'entries',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice('entry:'.length), namespace: 'entry' }))
    onLoad({ filter: /.*/, namespace: 'entry' }, ({ path }) => ({
      contents: entryOf(path as FunctionName),
      resolveDir: root,
      loader: 'ts',
    }))
  },
}
