import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import { type BuildOptions, build, type OutputFile, type Plugin } from 'esbuild'
import { minifySync } from 'rolldown/utils'
import { type Lifetime, lifetimeInWords } from '../../accounts/token/token.ts'
import { escapeHtml } from '../../shared/base/html.ts'
import type { Page } from '../../shared/base/page-answer.ts'
import { escapeNonAscii } from '../../shared/prebuilt/write.ts'
import { type Part, partsOf, withoutBreaks } from '../../shared/words/fill.ts'
import { allLanguages } from '../../shared/words/pseudo.ts'
import type { Words } from '../../shared/words/words.ts'

/** What browsers have since 2022. */
const target = ['es2022', 'safari16']

/** How scripts and styles are bundled. The output is ASCII, esbuild's default. */
const bundling = {
  absWorkingDir: join(import.meta.dirname, '../..'),
  outdir: 'dist',
  bundle: true,
  minify: true,
  metafile: true,
  write: false,
  format: 'esm',
  target,
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions

/** Makes a bundled script smaller once more: by a thirtieth, compressed. No code of ours reads a property for its effect. */
function shrink(script: string): string {
  const treeshake = { propertyReadSideEffects: false, unknownGlobalSideEffects: false }
  const { code, errors } = minifySync('script.js', script, { module: true, compress: { target, treeshake } })
  if (errors[0]) throw new Error(errors[0].message)
  return escapeNonAscii(code)
}

const textIn = ({ path, text }: OutputFile): string => (path.endsWith('.js') ? shrink(text) : text)

/** Scripts and style sheets by name, each in one piece with its imports, and esbuild's metafile. */
export async function bundleForBrowser<Name extends string>(entryPoints: Record<Name, string>, plugins: Plugin[] = []) {
  const { outputFiles, metafile } = await build({ ...bundling, entryPoints, plugins })
  const texts = outputFiles.map(file => [parse(file.path).name, textIn(file)])
  return { ...(Object.fromEntries(texts) as Record<Name, string>), metafile }
}

/** An HTML file as a page of one language, English. */
export async function composePage(file: string): Promise<Page> {
  const [[, page] = []] = await composePages(file, ['en'])
  if (!page) throw new Error(`${file} is not composed`)
  const { languages: _, ...single } = page
  return single
}

/**
 * Reads an HTML file with its style sheet and its script, if any, in place of the links to them, so that the page is one answer.
 * Done at build time where it matters: hashing at a function's start would cost it a quarter more. All its languages have the
 * same style and script.
 *
 * @returns the page by the tags of languages
 */
export async function composePages(
  file: string,
  tags = Object.keys(allLanguages),
): Promise<(readonly [tag: string, Page])[]> {
  const source = readPage(file)
  const link = /<link rel="stylesheet" href="(.+)" \/>/.exec(source)
  const script = /<script type="module" src="(.+)"><\/script>/.exec(source)
  if (!link?.[1]) throw new Error(`${file} must link to one style sheet`)
  const compiled = async (part: string) => {
    const entryPoints = [resolve(dirname(file), part)]
    const { outputFiles } = await build({ ...bundling, entryPoints, logLevel: 'silent' })
    return outputFiles.map(textIn).join('')
  }
  const style = [link[0], await compiled(link[1])] as const
  const module = script?.[1] ? ([script[0], await compiled(script[1])] as const) : null
  return tags.map(tag => {
    const page = inOnePiece(keepLanguage(sayIn(tag, source, file), dirname(file)), style, module)
    return [tag, { ...page, languages: languagesFor(tag) }]
  })
}

const languageNames = Object.entries(allLanguages).map(([tag, { name, dir }]) => [tag, { name, dir }] as const)

const languagesFor = (tag: string): NonNullable<Page['languages']> => ({
  label: withoutBreaks(allLanguages[tag]?.pages.frame.language ?? ''),
  all: Object.fromEntries(languageNames),
})

/** Has each link to another page of the folder keep the language that the address says. */
const keepLanguage = (html: string, folder: string): string =>
  html.replace(/href="\/([a-z-]*)(?=["#])/g, (link, name) =>
    existsSync(join(folder, `${name || 'home'}.html`)) ? `${link}{{lang}}` : link,
  )

/**
 * Puts a language's words into HTML. `((section.text address …))` is a text, with the addresses of its links; `(({gap}))` a value;
 * `<!-- words section … -->` gives sections to the script, and `<!-- lifetime kind -->` says how long the page's link works.
 *
 * @throws if the page names a missing text or address
 */
function sayIn(tag: string, source: string, file: string): string {
  const words = allLanguages[tag]
  if (!words) throw new Error(`there are no words of ${tag}`)
  const [, kind] = /<!-- lifetime ([\w-]+) -->/.exec(source) ?? []
  const values: Record<string, string> = {
    product: '<bdi>{{productName}}</bdi>',
    email: '<bdi data-email></bdi>',
    name: '<bdi>{{clientName}}</bdi>',
    methods: '{{methods}}',
    supportEmail: '{{supportEmail}}',
    // In right-to-left text, a leading slash would be shown at the end.
    path: words.dir === 'rtl' ? '<bdi dir="ltr">{{path}}</bdi>' : '{{path}}',
    ...(kind && { lifetime: escapeHtml(lifetimeInWords(kind as Lifetime, tag)) }),
  }
  const say = (name: string, addresses: string, known: typeof values): string => {
    const left = addresses.split(' ').filter(Boolean)
    const write = (part: Part): string => {
      if (typeof part === 'string') return escapeHtml(part)
      const value = 'gap' in part ? known[part.gap] : left.shift()
      if (value === undefined) throw new Error(`${file} has no ${JSON.stringify(part)} for ${name}`)
      return 'gap' in part ? value : `<a href="${value}">${part.link.map(write).join('')}</a>`
    }
    const said = partsOf(textOf(words, name)).map(write).join('')
    if (left.length > 0) throw new Error(`${file} has too many addresses for ${name}`)
    return said
  }
  const titles = { ...values, product: '{{productName}}' }
  return source
    .replace('<html lang="en" dir="ltr">', `<html lang="${tag}" dir="${words.dir}">`)
    .replace(/<title>.*<\/title>|\w="\(\(.*?\)\)"/g, plain =>
      plain.replace(/\(\(([\w.]+)\)\)/g, (_, name) => withoutBreaks(say(name, '', titles))),
    )
    .replace(/\(\(([\w.]+)(.*?)\)\)/g, (_, name, addresses) => say(name, addresses, values))
    .replace(/\(\(\{(\w+)\}\)\)/g, (_, gap) => values[gap] ?? '')
    .replace(/<!-- lifetime .*?-->/g, '')
    .replace(/<!-- words (.*?) -->/g, (_, sections) => dataBlock(tag, words, sections.trim().split(' ')))
}

function textOf({ pages }: Words, name: string): string {
  const [section = '', text = ''] = name.split('.')
  const found = (pages as Sections)[section]?.[text]
  if (typeof found !== 'string') throw new Error(`there is no text ${name}`)
  return found
}

type Sections = Record<string, Record<string, unknown>>

/** What a script says, as data in ASCII: it needs no hash of the page's policy. */
function dataBlock(tag: string, { pages }: Words, sections: readonly string[]): string {
  const data = JSON.stringify({ tag, ...Object.fromEntries(sections.map(name => [name, (pages as Sections)[name]])) })
  return `<script type="application/json" id="words">${escapeNonAscii(data).replaceAll('<', '\\u003c')}</script>`
}

/** An element of a page, and the text that takes its place. */
type Replacement = readonly [element: string, text: string]

/** A page with its style and its script in place of the elements that stand for them. */
export function inOnePiece(html: string, [link, css]: Replacement, script: Replacement | null): Page {
  const styled = html.replace(link, () => `<style>${css.trim()}</style>`)
  if (script === null) return { html: styled, style: hashSource(css), script: null }
  const [element, js] = script
  const scripted = styled.replace(element, () => `<script type="module">${js.trim()}</script>`)
  return { html: scripted, style: hashSource(css), script: hashSource(js) }
}

/** The CSP source expression of a text, without the white space around it (CSP Level 3 §2.3.1). */
const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text.trim()).digest('base64')}'`

/**
 * An HTML file with its parts in their places. Where it says `<!-- include part.html name="text" -->`, the part stands, and
 * `[[name]]` in it is that text, or nothing. `<!-- within part.html name="text" -->` at its top says that all below stands in
 * that part, as `[[content]]`. The gaps in braces stay open: the function fills them. The words come last, by language.
 *
 * Indentation and comments go. Line breaks stay: they are the spaces between words.
 */
function readPage(file: string, gaps: Record<string, string> = {}): string {
  const include = (part: string, given: string, content = '') => {
    const texts = [...given.matchAll(/(\w+)=(["'])(.*?)\2/gs)].map(([, name = '', , text = '']) => [name, text])
    return readPage(join(dirname(file), part), { ...Object.fromEntries(texts), content })
  }
  return readFileSync(file, 'utf8')
    .trim()
    .replace(/\[\[(\w+)\]\]/g, (_, name) => gaps[name] ?? '')
    .replace(/<!-- include (\S+)(.*?) -->/gs, (_, part, given) => include(part, given))
    .replace(/^<!-- within (\S+)(.*?) -->(.*)/s, (_, part, given, content) => include(part, given, content))
    .replace(/<!-- (?!if |unless |each |end |words |lifetime ).*?-->/gs, '')
    .replace(/^\s+/gm, '')
}

/** A page as a module. */
export const asModule = async (file: string): Promise<string> =>
  `export default ${JSON.stringify(await composePage(file))}`

export const htmlPages: Plugin = {
  name: 'html-pages',
  setup({ onLoad }) {
    onLoad({ filter: /\.html$/ }, async ({ path }) => ({ contents: await asModule(path), loader: 'js' }))
  },
}
