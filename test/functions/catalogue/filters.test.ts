// The list of modules by its filters, and refused query parameters.
import { describe, expect, test } from 'vitest'
import type { Module, ModuleSummary } from '../../../catalogue/model.ts'
import { ask, read } from '../../support/catalogue/served.ts'

type List = { catalogue_version: string; total: number; modules: (ModuleSummary & Partial<Module>)[] }

describe('filters', () => {
  const named = async (query: string) => {
    const { total, modules } = await read<List>('/catalogue/modules', query)
    expect(modules).toHaveLength(total)
    return modules.map(({ name }) => name)
  }

  test.each([
    ['', 62],
    ['group=list', 35],
    ['group=prop', 20],
    ['group=meta', 7],
    ['generator=true', 36],
    ['generator=false', 26],
    ['deprecated=false', 61],
    ['readrights=true', 60],
    ['group=list&generator=true', 25],
    ['generator=true&group=prop', 11],
    ['group=meta&generator=true', 0],
    ['prefix=nosuch', 0],
    ['parameter=nosuch', 0],
    ['q=nosuchword', 0],
  ])('%j gives %i modules', async (query, count) => {
    expect(await named(query)).toHaveLength(count)
  })

  test.each([
    ['prefix=ap', ['allpages']],
    ['prefix=', ['tokens']],
    ['parameter=excluderights', ['contributors']],
    ['type=title', ['info']],
    ['deprecated=true', ['deletedrevs']],
    ['readrights=false', ['authmanagerinfo', 'tokens']],
    ['q=allpages', ['allpages']],
    ['q=ALLPAGES', ['allpages']],
    ['q=editsitecss', ['allusers', 'contributors']],
    ['q=excluderights', ['contributors']],
    ['q=iwbl', ['iwbacklinks']],
    ['q=bureaucrat+witheditsonly', ['allusers']],
    ['q=%20bureaucrat%09excluderights%20', ['contributors']],
    ['group=prop&parameter=limit&type=user&generator=true', ['deletedrevisions', 'revisions']],
  ])('%j gives %j', async (query, names) => {
    expect(await named(query)).toEqual(names)
  })

  test('every filter gives the modules of which it is true, in order', async () => {
    const { modules } = await read<{ modules: Module[] }>('/catalogue/modules', 'expand=parameters')
    const tests: [query: string, (module: Module) => boolean][] = [
      ['type=user', ({ parameters }) => parameters.some(({ type }) => type === 'user')],
      ['parameter=dir', ({ parameters }) => parameters.some(({ name }) => name === 'dir')],
      [
        'parameter=dir&group=prop',
        ({ group, parameters }) => group === 'prop' && parameters.some(({ name }) => name === 'dir'),
      ],
      [
        'group=list&deprecated=false&generator=false',
        ({ group, deprecated, generator }) => group === 'list' && !deprecated && !generator,
      ],
    ]
    for (const [query, matches] of tests) {
      const due = modules.filter(matches)
      expect(due.length).toBeGreaterThan(0)
      expect((await read<List>('/catalogue/modules', `${query}&expand=parameters`)).modules).toEqual(due)
      const summaries = due.map(({ parameters: _, relations: __, ...summary }) => summary)
      expect((await read<List>('/catalogue/modules', query)).modules).toEqual(summaries)
    }
  })

  /** By the end of the refusal's code: the query, its mistake, and an allowed value. */
  const refused: Record<string, Record<string, [what: string, allowed: string]>> = {
    unknown: {
      'groups=list': ['an unknown query parameter', 'group'],
      x: ['an unknown one without a value', 'expand'],
      '__proto__=1': ['a name of the language itself', 'group'],
      'Group=list': ['a known one in other case', 'group'],
    },
    repeated: {
      'group=list&group=prop': ['a repeated one', 'group'],
      'q=a&q=a': ['a repeated one of equal value', 'q'],
    },
    invalid: {
      'group=lists': ['an unknown group', 'meta'],
      'group=': ['no group', 'list'],
      'group=list,prop': ['two groups in one', 'prop'],
      'generator=yes': ['a flag of another word', 'true'],
      'deprecated=1': ['a flag of another word', 'false'],
      'readrights=TRUE': ['a flag in other case', 'true'],
      'type=string': ['an unknown type', 'str'],
      'expand=all': ['an unknown expansion', 'parameters'],
      'q=%20': ['a search without words', 'a text of 1 to 100 characters'],
      'parameter=': ['no parameter', 'a text of 1 to 100 characters'],
      [`q=${'a'.repeat(101)}`]: ['a search that is too long', 'a text of 1 to 100 characters'],
      [`prefix=${'a'.repeat(101)}`]: ['a prefix that is too long', 'a text of at most 100 characters'],
    },
  }
  const refusals = Object.entries(refused).flatMap(([code, queries]) =>
    Object.entries(queries).map(([query, [what, allowed]]) => [what, query, code, allowed] as const),
  )

  test.each(refusals)('%s is a 400 that lists what is allowed', async (_, query, code, allowed) => {
    const { statusCode, headers, body } = await ask('/catalogue/modules', { query })
    expect(statusCode).toBe(400)
    expect(headers['content-type']).toBe('application/problem+json')
    const problem = JSON.parse(body)
    expect(problem).toMatchObject({ status: 400, code: `query-parameter-${code}`, detail: expect.any(String) })
    expect(problem.allowed).toContain(allowed)
    expect(problem.detail).toContain(allowed)
  })
})
