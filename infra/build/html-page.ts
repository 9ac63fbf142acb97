import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'

/** What styles and scripts may use: browsers since 2022. */
export const browsers = ['es2022', 'safari16']

export interface Page {
  html: string
  /** CSP source expression of its only style (CSP Level 3 §2.3.1). */
  style: string
  /** The same of its only script; null for a page without one. */
  script: string | null
}

/**
 * Reads an HTML file and puts the style sheet and the script, if any, that it links to into it, so that the page is one answer.
 * Done at build time where it matters: hashing at a function's start would cost it a quarter more.
 */
export async function composePage(file: string): Promise<Page> {
  const source = await readWithIncludes(file)
  const link = /<link rel="stylesheet" href="(.+)" \/>/.exec(source)
  const script = /<script type="module" src="(.+)"><\/script>/.exec(source)
  if (!link?.[1]) throw new Error(`${file} must link to one style sheet`)

  const css = await compile(file, link[1])
  const html = source.replace(link[0], () => `<style>${css}</style>`)
  if (!script?.[1]) return { html, style: hashSource(css), script: null }
  const js = await compile(file, script[1])
  return {
    html: html.replace(script[0], () => `<script type="module">${js}</script>`),
    style: hashSource(css),
    script: hashSource(js),
  }
}

/** A style sheet or a script, with what it imports, in one piece. */
async function compile(page: string, file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [resolve(dirname(page), file)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: browsers,
    logLevel: 'silent',
  })
  return outputFiles.map(({ text }) => text.trim()).join('')
}

/**
 * An HTML file with those that it includes in their places. Indentation and comments are for who writes it; line breaks
 * stay: they are the spaces between words.
 */
async function readWithIncludes(file: string): Promise<string> {
  const source = await readFile(file, 'utf8')
  const [first = '', ...rest] = source.split(/<!-- include (?=\S+ -->)/)
  const parts = rest.map(async part => {
    const [, name = '', after = ''] = /^(\S+) -->(.*)$/s.exec(part) ?? []
    return `${await readWithIncludes(resolve(dirname(file), name))}${after}`
  })
  return [first, ...(await Promise.all(parts))]
    .join('')
    .replace(/<!-- (?!if |unless |each |end ).*?-->/gs, '')
    .replace(/^\s+/gm, '')
}

/** The CSP source expression of a text (CSP Level 3 §2.3.1). */
export const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** A page as a module. */
export const asModule = async (file: string): Promise<string> =>
  `export default ${JSON.stringify(await composePage(file))}`

export const htmlPages: Plugin = {
  name: 'html-pages',
  setup({ onLoad }) {
    onLoad({ filter: /\.html$/ }, async ({ path }) => ({ contents: await asModule(path), loader: 'js' }))
  },
}
