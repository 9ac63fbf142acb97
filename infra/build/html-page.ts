import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import type { Page } from '../../shared/base/page-answer.ts'

/** How scripts and styles are bundled. They may use what browsers have since 2022. The output is ASCII, esbuild's default. */
const bundling = {
  absWorkingDir: join(import.meta.dirname, '../..'),
  outdir: 'dist',
  bundle: true,
  minify: true,
  metafile: true,
  write: false,
  format: 'esm',
  target: ['es2022', 'safari16'],
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions

/** Scripts and style sheets by name, each with what it imports in one piece, and what esbuild says of them. */
export async function bundleForBrowser<Name extends string>(entryPoints: Record<Name, string>, plugins: Plugin[] = []) {
  const { outputFiles, metafile } = await build({ ...bundling, entryPoints, plugins })
  const texts = outputFiles.map(({ path, text }) => [parse(path).name, text])
  return { ...(Object.fromEntries(texts) as Record<Name, string>), metafile }
}

/**
 * Reads an HTML file with its style sheet and its script, if any, in place of the links to them, so that the page is one answer.
 * Done at build time where it matters: hashing at a function's start would cost it a quarter more.
 */
export async function composePage(file: string): Promise<Page> {
  const source = readPage(file)
  const link = /<link rel="stylesheet" href="(.+)" \/>/.exec(source)
  const script = /<script type="module" src="(.+)"><\/script>/.exec(source)
  if (!link?.[1]) throw new Error(`${file} must link to one style sheet`)
  const compiled = async (part: string) => {
    const entryPoints = [resolve(dirname(file), part)]
    const { outputFiles } = await build({ ...bundling, entryPoints, logLevel: 'silent' })
    return outputFiles.map(({ text }) => text).join('')
  }
  return inOnePiece(
    source,
    [link[0], await compiled(link[1])],
    script?.[1] ? [script[0], await compiled(script[1])] : null,
  )
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
 * that part, as `[[content]]`. The gaps in braces stay open: the function fills them.
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
    .replace(/<!-- (?!if |unless |each |end ).*?-->/gs, '')
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
