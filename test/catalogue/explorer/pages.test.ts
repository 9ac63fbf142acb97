import { describe, expect, test } from 'vitest'
import { checkOf } from '../../../catalogue/addresses.ts'
import { buildCatalogue } from '../../../catalogue/build/build-catalogue.ts'
import { readSource } from '../../../catalogue/build/source.ts'
import { type Assets, lazyFiles } from '../../../catalogue/explorer/pages/frame.ts'
import { writeExplorer } from '../../../catalogue/explorer/pages/pages.ts'
import { moduleSentence } from '../../../catalogue/explorer/words.ts'
import examples from '../../../catalogue/words/module-examples.json' with { type: 'json' }
import moduleSentences from '../../../catalogue/words/module-sentences.json' with { type: 'json' }
import parameterSentences from '../../../catalogue/words/parameter-sentences.json' with { type: 'json' }
import recipes from '../../../catalogue/words/recipes.json' with { type: 'json' }
import valueSentences from '../../../catalogue/words/value-sentences.json' with { type: 'json' }
import { escapeHtml } from '../../../shared/base/html.ts'
import { asDocument, html, join } from '../../../shared/prebuilt/markup.ts'
import { validate } from '../../support/catalogue/validate.ts'

const catalogue = buildCatalogue(readSource())
const lazy = Object.fromEntries(lazyFiles.map(name => [name, `export const ${name} = 1`]))
const sources = { script: 'run()', style: 'p{}', ...lazy } as Assets
const files = writeExplorer(catalogue, sources)
const pageAt = (path: string): string => files.get(path)?.text ?? ''

/** The text of each element with an id, up to the next parameter, by its id. */
function partsOf(page: string): Map<string, string> {
  const parts = page.split('<li class="parameter" ').slice(1)
  return new Map(parts.map(part => [/id="([^"]+)"/.exec(part)?.[1] ?? '', part]))
}

describe.each(catalogue.modules)(
  'the page of $path',
  ({ path, group, name, prefix, generator, deprecated = false, parameters, relations }) => {
    const page = pageAt(`explore/${path}`)
    const parts = partsOf(page)

    test('says how a query asks it', () => {
      expect(page).toContain(`<title>${group}=${name} · Query modules</title>`.replace('·', '&#183;'))
      expect(page.includes(`<code>generator=${name}</code>`)).toBe(generator)
      expect(page).toContain(`href="/catalogue/explore#q=${group}%3D${name}"`)
      expect(page.includes('class="relations"')).toBe(relations !== undefined)
      expect(/<h1>(?:(?!<\/h1>).)*>deprecated<\/span>/s.test(page)).toBe(deprecated)
    })

    test('has each parameter once, in order, deprecated ones last, by its query’s name', () => {
      const last = ({ deprecated = false }: { deprecated?: boolean }) => Number(deprecated)
      expect([...parts.keys()]).toEqual(parameters.toSorted((a, b) => last(a) - last(b)).map(({ name }) => name))
      for (const { name } of parameters) {
        expect(parts.get(name)).toContain(`<span class="prefix">${prefix}</span>${name}</code>`)
      }
    })

    test('says of each parameter its values, default, and whether required, deprecated or secret', () => {
      for (const { name, values = [], default: value, required, deprecated, sensitive, values_set } of parameters) {
        const part = parts.get(name) ?? ''
        for (const value of values) expect(part).toContain(`<li id="${name}=${escapeHtml(value)}">`)
        // A default is marked in the list, and not repeated.
        const defaults = value === undefined || value === '' ? [] : String(value).split('|')
        const isListed = defaults.length > 0 && defaults.every(each => values.includes(each))
        expect(part.includes('Default:')).toBe(value !== undefined && !isListed)
        const marked = [...part.matchAll(/<li id="[^"=]+=([^"]+)">(?:(?!<\/li>).)*>default<\/b>/g)].map(([, id]) => id)
        expect(marked).toEqual(values.filter(each => defaults.includes(each)).map(escapeHtml))
        if (typeof value === 'number') expect(part).toContain(`Default: <code>${value}</code>`)
        expect(part.includes('>required</strong>')).toBe(required === true)
        expect(part.includes('>secret</span>')).toBe(sensitive === true)
        expect(part.slice(0, part.indexOf('class="facts"')).includes('deprecated')).toBe(deprecated === true)
        if (values_set) expect(part).toContain(`href="/catalogue/explore/sets/${values_set}"`)
      }
    })
  },
)

test.each(catalogue.sets)('the page of the set $name says what is in it, and who uses it', set => {
  const page = pageAt(`explore/sets/${set.name}`)
  for (const value of set.values ?? []) {
    const [, item] = page.split(`<li id="${escapeHtml(value)}">`)
    expect(item?.split('</li>')[0]?.includes('deprecated')).toBe(set.deprecated_values?.includes(value) ?? false)
  }
  for (const { name } of set.parameters ?? []) expect(page).toContain(`<li class="parameter" id="${name}">`)
  for (const { module, parameters } of set.used_by) {
    const prefix = catalogue.modules.find(({ name }) => name === module)?.prefix
    for (const name of parameters) {
      expect(page).toContain(`href="/catalogue/explore/query+${module}#${name}"><code>${prefix}${name}</code>`)
    }
  }
})

test('the index leads to every module and every set', () => {
  const page = pageAt('explore')
  for (const { path } of catalogue.modules) expect(page).toContain(`<a href="/catalogue/explore/${path}">`)
  for (const { name } of catalogue.sets) expect(page).toContain(`<a href="/catalogue/explore/sets/${name}">`)
})

test('a file of another content has another name, and the pages name the new one', () => {
  const namesIn = (found: Map<string, unknown>) => [...found.keys()].filter(path => path.includes('/assets/'))
  const changed = writeExplorer(catalogue, { ...sources, script: 'walk()' })
  const [script, ...others] = namesIn(files)
  const [otherScript, ...sameOthers] = namesIn(changed)
  expect(otherScript).not.toBe(script)
  expect(sameOthers).toEqual(others)
  expect(changed.get('explore')?.text).toContain(`src="/catalogue/${otherScript}"`)
})

describe('markup', () => {
  test('takes values for text, whatever they hold', () => {
    expect(html`<p title="${'"'}">${"<b>&'"}</p>`.markup).toBe('<p title="&quot;">&lt;b&gt;&amp;&#39;</p>')
  })

  test('takes markup as it is, lists in their order, and null for nothing', () => {
    expect(html`${[html`<b>1</b>`, html`<i>${2}</i>`]}${null}`.markup).toBe('<b>1</b><i>2</i>')
    expect(join([html`<b>1</b>`, html`<b>2</b>`], ' < ').markup).toBe('<b>1</b> &lt; <b>2</b>')
  })

  test('becomes a document in ASCII, without indentation', () => {
    expect(
      asDocument(html`<p>
      ${'· 😀'}</p>`),
    ).toBe('<p>\n&#183; &#128512;</p>')
  })
})

describe('our own words', () => {
  test.each(catalogue.modules)('say in one sentence what $name is for', module => {
    const says = moduleSentence(module.name)
    expect(says).toMatch(/^[A-Z][^\n]{15,110}\.$/)
    const written = asDocument(html`${says}`)
    const page = pageAt(`explore/${module.path}`)
    expect(page.replaceAll(/<a class="term"[^>]+>([^<]+)<\/a>/g, '$1')).toContain(`<p class="lead">${written}</p>`)
    expect(page).toContain(`<meta name="description" content="${written} `)
    expect(pageAt('explore')).toContain(`${written}</span></li>`)
  })

  test('name modules and parameters that exist, and each word of the glossary once', () => {
    expect(Object.keys(moduleSentences.modules).sort()).toEqual(catalogue.modules.map(({ name }) => name).sort())
    const known = new Set(catalogue.modules.flatMap(({ parameters }) => parameters.map(({ name }) => name)))
    for (const name of parameterSentences.parameters.flatMap(({ names }) => names.split(' ')))
      expect(known).toContain(name)
    const ids = [...pageAt('explore').matchAll(/ id="(term-[^"]+)"/g)].map(([, id]) => id)
    expect(ids).toEqual([...new Set(ids)])
    for (const [path, { text }] of files) {
      for (const [, id] of text.matchAll(/href="\/catalogue\/explore#(term-[^"]+)"/g)) expect(ids, path).toContain(id)
    }
  })

  test.each(catalogue.modules)(
    'lead from $name to others that people mean, and to its neighbours',
    ({ name, path }) => {
      const [related = ''] = pageAt(`explore/${path}`).split('<h2 id="see-also">')[1]?.split('</section>') ?? []
      const links = [...related.matchAll(/href="\/catalogue\/explore\/query\+([^"]+)"/g)].map(([, to]) => to)
      expect(links.length).toBeGreaterThan(2)
      expect(links).not.toContain(name)
    },
  )

  test('are explained where they stand beside a limit', () => {
    const page = pageAt('explore/query+allpages')
    expect(partsOf(page).get('limit')).toMatch(/at most 500 \(5000 with the <a class="term" [^>]+>high limit<\/a>\)/)
    expect(page).not.toContain('At most')
  })

  test('are not in the answers of the catalogue', () => {
    expect(JSON.stringify(catalogue)).not.toContain(moduleSentence('random'))
  })

  test.each(recipes)('give a right query for "$says"', ({ query }) => {
    expect(validate(query).findings).toEqual([])
  })

  test.each(catalogue.modules)(
    'give one right example of $path, and lead to its check',
    ({ path, name, deprecated }) => {
      const [says = '', query = ''] = (examples as Record<string, string[]>)[name] ?? []
      const { modules, findings } = validate(query)
      expect(modules.map(({ path }) => path)).toEqual([path])
      expect(findings.map(({ rule }) => rule)).toEqual(deprecated ? ['module-deprecated'] : [])
      expect(pageAt(`explore/${path}`)).toContain(html`<a href="${checkOf(query)}"><code>${query}</code></a>`.markup)
      expect(pageAt(`explore/${path}`)).toContain(asDocument(html`<p>${says}:</p>`))
    },
  )

  test('say what values are, each of a parameter that has it', () => {
    for (const [place, lines] of Object.entries(valueSentences)) {
      const [name, parameter] = place.split('.')
      const page = pageAt(`explore/query+${name}`)
      for (const [value, says] of Object.entries(lines)) {
        const [, item = ''] = page.split(`<li id="${parameter}=${value}">`)
        expect(item.split('</li>')[0]).toContain(`<span class="note">${asDocument(html`${says}`)}</span>`)
      }
    }
  })
})

test('every page leads to the other parts of the service', () => {
  const pages = [...files].filter(([, { type }]) => type?.startsWith('text/html'))
  expect(pages.length).toBeGreaterThan(catalogue.modules.length)
  for (const [, { text }] of pages) {
    const [, nav = ''] = /<nav class="parts"[^>]*>(.*?)<\/nav>/s.exec(text) ?? []
    expect([...nav.matchAll(/href="([^"]+)"/g)].map(([, path]) => path)).toEqual([
      '/',
      '/reference',
      '/catalogue/explore',
      '/account',
    ])
  }
})
