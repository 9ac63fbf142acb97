import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { needsOf } from '../../../shared/endpoints/needs.ts'
import { functionRefusals } from '../../../shared/endpoints/refusals.ts'
import { type ErrorCode, type Refuses, refusals } from '../../../shared/errors.ts'
import { codesOf, implied, inOrder } from '../../../shared/openapi/refusals.ts'
import { type Route, routes } from '../../../shared/routes.ts'

/** The refusals of functions agree in their lists, in their docs and in their code. */

const root = join(import.meta.dirname, '../../..')
const codes = Object.keys(refusals) as ErrorCode[]

interface Documented {
  file: string
  name: string
  thrown: ErrorCode[]
}

/** Every exported function whose docs say which refusals it throws. */
const documented = globSync('shared/{accounts,http,limits}/**/*.ts', { cwd: root }).flatMap((file): Documented[] => {
  const source = readFileSync(join(root, file), 'utf8')
  const functions = source.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export (?:async )?(?:function|const) (\w+)/g)
  return [...functions].flatMap(([, docs = '', name = '']) => {
    const [, throws] = /@throws \{DomainError\}([\s\S]*)/.exec(docs) ?? []
    if (throws === undefined) return []
    const named = [...throws.matchAll(/`([\w-]+)`/g)].map(([, code]) => code as ErrorCode)
    return [{ file, name, thrown: inOrder(named.filter(code => codes.includes(code))) }]
  })
})

const listsOf = async (file: string): Promise<Record<string, Refuses>> => import(join(root, file))

/** Of domain functions; those of the pipeline are implied by rows. */
const domain = documented.filter(({ file, name }) => file.startsWith('shared/accounts/') && name !== 'deliverMail')

test('the docs of domain functions are found', () => {
  expect(domain.length).toBeGreaterThan(15)
})

test.each(domain.map(each => [each.name, each] as const))('the list of %s is what its docs say', async (_, each) => {
  const list = (await listsOf(each.file))[`${each.name}Refuses`]
  expect(inOrder(list ?? [])).toEqual(each.thrown)
})

test.each(globSync('shared/accounts/**/*.ts', { cwd: root }))(
  '%s throws what its lists hold, and no other',
  async file => {
    const source = readFileSync(join(root, file), 'utf8')
    const thrown = [...source.matchAll(/(?:new DomainError\(|refuse\(deps, account, '\w+', )'([\w-]+)'/g)].map(
      ([, code]) => code,
    )
    const lists = Object.entries(await listsOf(file)).filter(([name]) => name.endsWith('Refuses'))
    const held = inOrder(lists.flatMap(([, list]) => list))
    expect(thrown.filter(code => !held.some(known => known === code))).toEqual([])
  },
)

describe('what a row implies', () => {
  const thrownBy = (...names: string[]) =>
    inOrder(documented.filter(({ name }) => names.includes(name)).flatMap(({ thrown }) => thrown))

  test.each([
    ['unsafe', ['requireAllowedOrigin']],
    ['body', ['requireJson', 'readJson', 'parseBody']],
    ['bearer', ['bearerToken', 'authenticate']],
  ] as const)('by %s is what its step throws', (member, steps) => {
    expect(inOrder(implied[member])).toEqual(thrownBy(...steps))
  })

  test('by limit is what counting throws, and its own refusal', () => {
    expect(inOrder(implied.limit)).toEqual(inOrder([...thrownBy('countRequest'), 'too-many-requests']))
  })
})

describe('the route table', () => {
  const rows = Object.entries<Route>(routes).filter(([, { reply, answers }]) => reply || answers)

  test('names every list that there is for it', () => {
    const named = rows.flatMap(([, { refuses = [], answers = {} }]) => [
      ...refuses,
      ...Object.values(answers).flatMap(answer => answer.refuses ?? []),
    ])
    expect([...new Set(named)].sort()).toEqual(Object.keys(functionRefusals).sort())
  })

  test.each(rows)('has %s be unavailable just where it needs a part of AWS', (_, row) => {
    const all = [row.refuses, ...Object.values(row.answers ?? {}).map(({ refuses }) => refuses)]
    const isUnavailable = all.some(refuses => codesOf(row, refuses ?? []).includes('unavailable'))
    expect(isUnavailable).toBe(Object.keys(needsOf(row).may).length > 0)
  })
})
