import { beforeAll, describe, expect, test } from 'vitest'
import { anchors, modules, sets } from './anchors.ts'
import { setUpExplorer } from './explorer.ts'

const { page, site, open, visit } = setUpExplorer()

describe('without a script', () => {
  /** By page: its ids, its links, and its visible text. */
  const seen = new Map<string, { ids: string[]; links: string[]; text: string }>()

  beforeAll(async () => {
    await open({ javaScriptEnabled: false })
    for (const path of anchors.keys()) {
      await visit(path)
      seen.set(path, {
        ids: await page()
          .locator('[id]')
          .evaluateAll(elements => elements.map(({ id }) => id)),
        links: await page()
          .locator('[href]')
          .evaluateAll(elements => elements.map(element => (element as HTMLAnchorElement).href)),
        text: await page().innerText('main'),
      })
    }
  })

  const of = (path: string) => {
    const page = seen.get(path)
    if (!page) throw new Error(`Not seen: ${path}`)
    return page
  }

  test('there are 75 pages', () => {
    expect(seen.size).toBe(75)
  })

  test('every parameter and every value of a module and of a set has its anchor', () => {
    for (const [path, due] of anchors)
      expect({ path, missing: due.filter(id => !of(path).ids.includes(id)) }).toEqual({ path, missing: [] })
  })

  test('ids are unique', () => {
    for (const [path, { ids }] of seen) expect({ path, ids }).toEqual({ path, ids: [...new Set(ids)] })
  })

  test('every link leads to a page and an id that are there', async () => {
    const broken: string[] = []
    const answers = new Map<string, number>()
    for (const [path, { links }] of seen) {
      for (const link of links) {
        // The icon is in the page itself.
        if (link.startsWith('data:')) continue
        const { origin, pathname, search, hash } = new URL(link)
        // The other parts of the service are not served here.
        if (['/', '/reference', '/account'].includes(pathname)) continue
        const address = pathname + search
        if (!answers.has(address)) answers.set(address, (await fetch(site().url + address, { method: 'HEAD' })).status)
        const target = seen.get(decodeURIComponent(pathname))
        const id = decodeURIComponent(hash.slice(1))
        // After `q=` follows a query for the check's script.
        const isThere = id === '' || id.startsWith('q=') || target?.ids.includes(id)
        if (origin !== site().url || answers.get(address) !== 200 || !isThere) broken.push(`${path} → ${link}`)
      }
    }
    expect(answers.size).toBeGreaterThan(75)
    expect([...new Set(broken)]).toEqual([])
  })

  test('links lead from the index to every page', () => {
    const reached = new Set(['/catalogue/explore'])
    for (const path of reached) {
      for (const link of of(path).links) {
        const target = decodeURIComponent(new URL(link).pathname)
        if (seen.has(target)) reached.add(target)
      }
    }
    expect([...seen.keys()].filter(path => !reached.has(path))).toEqual([])
  })

  test('a module shows its parameters’ names in a query, and all their values', () => {
    for (const { path, prefix, parameters } of modules) {
      const words = new Set(of(`/catalogue/explore/${path}`).text.split(/\s+/))
      const due = parameters.flatMap(({ name, values = [] }) => [`${prefix}${name}`, ...values.filter(Boolean)])
      expect({ path, missing: due.filter(word => !words.has(word)) }).toEqual({ path, missing: [] })
    }
  })

  test('a set shows what is in it', () => {
    for (const { name, values = [], parameters = [] } of sets) {
      const words = new Set(of(`/catalogue/explore/sets/${name}`).text.split(/\s+/))
      const due = [...values, ...parameters.map(({ name }) => name)].filter(Boolean)
      expect({ name, missing: due.filter(word => !words.has(word)) }).toEqual({ name, missing: [] })
    }
  })

  test('the index says that checking needs one, and where a program has it checked', () => {
    expect(of('/catalogue/explore').text).toMatch(/needs JavaScript.*\/catalogue\/validate/s)
  })
})
