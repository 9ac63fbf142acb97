import { join } from 'node:path'
import { API } from 'typescript/unstable/sync'
import { afterAll, expect, test } from 'vitest'
import { functionNames } from '../../../api/route-keys.ts'
import { entryOf, root } from '../../../infra/build/entries.ts'

/** The entries that the build writes, as the compiler reads them: they lie beside tsconfig.json, in memory. */
const pathOf = (name: string) => join(root, `${name}.entry.ts`)
const tsconfig = join(root, 'tsconfig.entries.json')
const files = new Map<string, string>(functionNames.map(name => [pathOf(name), entryOf(name)]))
files.set(tsconfig, JSON.stringify({ extends: './tsconfig.json', include: [], files: functionNames.map(pathOf) }))

const compiler = new API({
  cwd: root,
  fs: { readFile: name => files.get(name), fileExists: name => files.has(name) || undefined },
})
afterAll(() => compiler.close())
const program = compiler.updateSnapshot({ openProject: tsconfig }).getProjects()[0]?.program

test.each(functionNames)('the entry of %s has all parts that its row grants, and no other', name => {
  expect(program?.getSourceFile(pathOf(name))?.text).toBe(entryOf(name))
  expect(program?.getSemanticDiagnostics(pathOf(name)).map(({ text }) => text)).toEqual([])
})
