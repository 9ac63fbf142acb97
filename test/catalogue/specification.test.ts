// The catalogue equals the specification: always by a hash of the facts that were compared with its text, and fact by
// fact if that text is beside the project.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Catalogue, Group, Module, ModuleSummary, SharedSet, ValueType } from '../../catalogue/model.ts'
import { read } from '../support/catalogue/served.ts'
import { readSpecification, type Specification } from '../support/catalogue/specification.ts'

/** SHA-256 of the facts of catalogue version 1.0.0, when every one agreed with the specification. */
const reviewed = 'f05cb306b085b8d34550a03722eda389451d7a37bc83a55051056ab9bc3f836c'

test('no fact differs from those that were compared with the specification', async () => {
  const { groups, types, sets, modules, statements, not_described, multi_valued } = await read<Catalogue>(
    '/catalogue/export/catalogue.json',
  )
  const facts = { groups, types, sets, modules, statements, not_described, multi_valued }
  // Links are ours; relations come from MediaWiki and have their own test.
  const text = JSON.stringify(facts, (key, value) => (['links', 'relations'].includes(key) ? undefined : value))
  const hash = createHash('sha256').update(text).digest('hex')
  expect(hash, 'a fact has changed: docs/catalogue.md, "Add or change a module", says what to do').toBe(reviewed)
})

const file = new URL('../../../shared/spec/query-catalogue.md', import.meta.url)
if (existsSync(file)) compareWith(readSpecification(readFileSync(file, 'utf8')))

function compareWith(specification: Specification) {
  const { modules, blocks, values } = specification
  const inModules = (list: (Module | ModuleSummary)[]) => list.map(({ name }) => name)

  describe('the served catalogue and the specification', () => {
    test('the text was understood in full', () => {
      expect(modules).toHaveLength(62)
      expect(modules.flatMap(module => module.parameters)).toHaveLength(500)
      expect([...values.keys(), ...blocks.keys()]).toHaveLength(11)
    })

    test('list the same modules in the same order', async () => {
      const { total, modules: served } = await read<{ total: number; modules: ModuleSummary[] }>('/catalogue/modules')
      expect(inModules(served)).toEqual(modules.map(({ name }) => name))
      expect(total).toBe(modules.length)
    })

    test.each(modules.map(module => [module.name, module] as const))(
      'agree on every fact of %s',
      async (name, module) => {
        const { links: _, relations: __, ...facts } = await read<Module>(`/catalogue/modules/query+${name}`)
        const { length } = module.parameters
        expect(facts).toStrictEqual({ path: `query+${name}`, parameter_count: length, ...module })
      },
    )

    test.each([...values])('agree on the values of %s', async (name, { values, deprecated, default: usual }) => {
      const set = await read<SharedSet>(`/catalogue/sets/${name}`)
      expect(set.values).toEqual(values)
      expect(set.deprecated_values ?? []).toEqual(deprecated)
      expect(set.default).toBe(usual)
    })

    test.each([...blocks])('agree on the parameters of %s', async (name, parameters) => {
      expect((await read<SharedSet>(`/catalogue/sets/${name}`)).parameters).toStrictEqual(parameters)
    })

    test('agree on the subtypes of USERSUB', async () => {
      const [, listed] = specification.plain.match(/USERSUB: subtypes (.*?)\./) ?? []
      expect((await read<SharedSet>('/catalogue/sets/USERSUB')).values).toEqual(listed?.split(', '))
    })

    test.each([...specification.users])('agree on the modules that use %s', async (name, users) => {
      const { used_by } = await read<SharedSet>(`/catalogue/sets/${name}`)
      expect(used_by.map(({ module }) => module).sort()).toEqual([...users].sort())
    })

    test('agree on the groups, their meaning and their modules', async () => {
      const { groups } = await read<{ groups: Group[] }>('/catalogue/groups')
      const due = specification.groups.map(({ name, meaning }) => ({
        name,
        meaning,
        modules: modules.filter(({ group }) => group === name).map(module => module.name),
      }))
      expect(groups.map(({ name, meaning, modules }) => ({ name, meaning, modules }))).toEqual(due)
    })

    test('agree on the types and their meaning', async () => {
      const { types } = await read<{ types: ValueType[] }>('/catalogue/types')
      const due = [...specification.types].map(([name, meaning]) => [
        name === '{a,b}' ? 'enum' : name,
        meaning.replace(/ \(written .*\)$/, ''),
      ])
      expect(types.map(({ name, meaning }) => [name, meaning])).toEqual(due)
    })

    test('agree on limits: 10, but 1 for two modules and none for those with revisions', async () => {
      const limits = (await read<Catalogue>('/catalogue/export/catalogue.json')).modules.flatMap(
        ({ name, parameters }) => parameters.filter(({ type }) => type === 'limit').map(limit => [name, limit.default]),
      )
      const [, ones = '', without = ''] =
        specification.plain.match(/default 10 \(1 for (.*?); none for the (\w+) modules\)/) ?? []
      const withoutDefault = specification.users.get(without) ?? []
      expect(withoutDefault).toHaveLength(4)
      for (const [name, usual] of limits) {
        const due = ones.split(' and ').includes(String(name))
          ? 1
          : withoutDefault.includes(String(name))
            ? undefined
            : 10
        expect([name, usual]).toEqual([name, due])
      }
    })

    test('agree on what is said of the whole, word for word, and on what is not described', async () => {
      const index = await read<Catalogue>('/catalogue')
      for (const statement of index.statements) expect(specification.plain).toContain(statement)
      expect(index.not_described).toEqual(specification.notShown)
      expect(specification.plain).toContain(`# ${index.name}`)
    })
  })
}
