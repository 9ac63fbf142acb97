import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { expect, test } from 'vitest'
import { routeKeysOf } from '../../api/route-keys.ts'
import notFound from '../../functions/not-found.ts'
import servePage from '../../functions/pages.ts'
import { en } from '../../shared/words/en.ts'
import { bare, builtNotFound, builtPage, type PageConfig } from '../support/built-page.ts'
import { clients, queryOf } from '../support/clients.ts'
import { providers } from '../support/providers.ts'

/**
 * The texts of English pages from before there were other languages, which they still show: text, attributes and order.
 * Without white space, scripts and styles, and anything with a hash of them.
 */
interface Recording {
  /** By path, in the configuration `complete`. */
  pages: Record<string, string>
  /** By path, the SHA-256 of the texts in all configurations. */
  all: Record<string, string>
  /** The texts of scripts. */
  scripts: string[]
}

const complete: PageConfig = {
  ...bare,
  appUrl: 'https://app.acme.example/?a=1&b=2',
  privacyUrl: 'https://acme.example/privacy',
  productName: '{email} & Söhne',
  requireEmailVerification: true,
  supportEmail: 'help@acme.example',
  termsUrl: 'https://acme.example/terms?a=1&b=2',
}

/** Each member with each of its values, one after the other: all configurations. */
const configs = Object.entries({
  accountPage: [false],
  appUrl: [null],
  requireEmailVerification: [false],
  secondFactor: ['off', 'required'],
  sessionDays: [0],
  privacyUrl: [null],
  supportEmail: [null],
  termsUrl: [null],
}).reduce<PageConfig[]>(
  (all, [name, values]) => all.flatMap(config => [config, ...values.map(value => ({ ...config, [name]: value }))]),
  [complete],
)

/** Unknown addresses: unlike anything, like pages, like calls, and calls. */
const unknown = [
  '/wp-login.php',
  '/verify-emial',
  '/catalog',
  '/auth/logn',
  '/auth/mee',
  '/auth/reset-password',
  '/auth/me',
]

const ask = (path: string, config: PageConfig): Promise<APIGatewayProxyStructuredResultV2> => {
  const event = {
    rawPath: path,
    rawQueryString: queryOf(path),
    headers: { accept: 'text/html' },
    requestContext: { http: { method: 'GET' } },
  }
  return (
    unknown.includes(path)
      ? notFound({ config, read: builtNotFound })
      : servePage({ clients, providers: path === signIn ? providers : [], config, read: builtPage })
  )(event as unknown as APIGatewayProxyEventV2)
}

const show = ({ body = '' }: APIGatewayProxyStructuredResultV2): string =>
  body
    .replace(/<(script|style)\b.*?<\/\1>/gs, '')
    .replace(/&nbsp;|&#160;/g, '\u00a0')
    .replace(/&#(\d+);/g, (entity, code) => (Number(code) > 127 ? String.fromCodePoint(Number(code)) : entity))
    .replace(/[ \n]+/g, ' ')
    .replace(/ ?(<(?!\/?(?:a|bdi)\b)[^>]*>) ?/g, '$1')
    .replace(/(?<=data:image\/svg\+xml,)[^"]*/g, '')

const signIn = '/sign-in/google'

const paths = [
  ...new Set(routeKeysOf('pages').map(key => key.replace(/^\w+ /, '').replace('/sign-in/{provider}', signIn))),
].filter(path => path !== '/reference')

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []

/** A text follows another one, and a link between two views was composed of a text and a link's words. */
const { addressAsked, linkVoid, newHere, notNew } = en.pages.texts
const composed = [`${addressAsked} ${linkVoid}`, ...[newHere, notNew].map(text => text.replace(/\[.*\]/, '{link}'))]

const said = new Set(
  textsIn([en.pages, composed]).flatMap(text => [text, `${text}.txt`, text.replace('{example}', 'ada@example.com')]),
)

test('pages show in English what they showed, and scripts say what they said', async () => {
  const { scripts }: Recording = JSON.parse(readFileSync(new URL('english.json', import.meta.url), 'utf8'))
  const recording: Recording = { pages: {}, all: {}, scripts: scripts.filter(text => said.has(text)) }
  for (const path of [...paths, ...unknown]) {
    recording.pages[path] = show(await ask(path, complete))
    const all = createHash('sha256')
    for (const config of configs) all.update(show(await ask(path, config)))
    recording.all[path] = all.digest('base64')
  }
  await expect(`${JSON.stringify(recording, null, 2)}\n`).toMatchFileSnapshot('english.json')
})
