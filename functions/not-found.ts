import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { lambda } from '../api/lambda.ts'
import { paths } from '../api/paths.ts'
import type { PathOf } from '../api/routes.ts'
import { findLikely } from '../catalogue/nearest.ts'
import { answerTo, commonHeaders, problem } from '../shared/base/answer.ts'
import type { Config } from '../shared/base/config.ts'
import { settings } from '../shared/base/environment.ts'
import { DomainError } from '../shared/base/errors.ts'
import { type Page, pageAnswer, pageLanguage, type ShownNames, wantsPage } from '../shared/base/page-answer.ts'
import { compressed } from '../shared/prebuilt/response.ts'
import { pageFile } from '../shared/prebuilt/whole-page.ts'
import { fillText } from '../shared/words/fill.ts'
import type { Words } from '../shared/words/words.ts'

const accountPath: PathOf<'account-page'> = '/account'

/** Where other sites have what is on the account page. */
const accountNames = new Set(
  'account accounts join login logon logout me myaccount password preferences profile register registration security settings signin signon signout signup user users'.split(
    ' ',
  ),
)

const meansAccount = (path: string): boolean =>
  path.split('/').some(part => accountNames.has(part.toLowerCase().replaceAll(/[_-]/g, '')))

/** All paths. Some exist for applications alone, for other providers, or where the account page is on. */
function pathsWith({ hasClients, hasProviders, accountPage }: Known) {
  const there = paths.filter(
    one =>
      (hasClients || !one.needsClients) &&
      (hasProviders || !one.needsProviders) &&
      (accountPage || one.path !== accountPath),
  )
  const byPath = new Map(there.map(each => [each.path, each]))
  /** The paths nearest to a wrong one. */
  const known = [...byPath.keys()].filter(path => !path.includes('{'))
  return {
    byPath,
    nearestTo: (wrong: string): string[] =>
      findLikely(
        wrong,
        known.filter(path => path !== wrong),
      ),
  }
}

type Known = Pick<Config, 'accountPage' | 'hasClients' | 'hasProviders'>
type Paths = ReturnType<typeof pathsWith>

/** The page as it was built, with the words that the function itself says. */
export interface NotFoundPage extends Page {
  words: Words['pages']['notFound']
}

interface Parts {
  config: ShownNames & Known & Pick<Config, 'languages'>
  /** Reads the page of a language. */
  read(tag: string): NotFoundPage
}

/**
 * Answers what no other route takes: 404 for unknown paths, 405 for a method that a path lacks (RFC 9110 §15.5.6).
 * Browsers get a page, programs a problem document.
 */
const notFound = ({ config, read }: Parts) => {
  const there = pathsWith(config)
  const kept = new Map<string, NotFoundPage>()
  const pageIn = (tag: string): NotFoundPage => {
    const page = kept.get(tag) ?? read(tag)
    kept.set(tag, page)
    return page
  }
  return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const { method } = event.requestContext.http
    const allowed = there.byPath.get(event.rawPath)?.methods ?? []
    const isKnown = allowed.length > 0
    const allow = [...allowed, 'OPTIONS'].join(', ')
    if (isKnown && method === 'OPTIONS') return { statusCode: 204, headers: { ...commonHeaders, allow } }

    const headers = { ...(isKnown && { allow }), vary: 'Accept' }
    if (['GET', 'HEAD'].includes(method) && wantsPage(event.headers.accept)) {
      const language = pageLanguage(event, config.languages)
      const page = pageIn(language.tag)
      const gaps = gapsFor(page.words, there, event.rawPath, allowed, language.query)
      return compressed(pageAnswer(page, config, { status: isKnown ? 405 : 404, gaps, headers, language }), event)
    }
    const refusal = isKnown
      ? new DomainError('method-not-allowed', {
          detail: `${event.rawPath} answers ${allow}, not ${method}`,
          headers,
        })
      : new DomainError('not-found', { headers, ...suggest(there, event.rawPath) })
    return answerTo(method, problem(refusal))
  }
}

/** The answer to a program at an unknown path, as the catalogue's. */
function suggest({ nearestTo }: Paths, wrong: string) {
  const suggestions = nearestTo(wrong)
  const [nearest] = suggestions
  return nearest && { detail: `There is nothing at this path. The nearest is ${nearest}`, members: { suggestions } }
}

/** The gaps of the page: its sentences about a path, and the nearest paths. */
function gapsFor(
  words: NotFoundPage['words'],
  { byPath, nearestTo }: Paths,
  wrong: string,
  allowed: readonly string[],
  query: string,
) {
  const isKnown = allowed.length > 0
  const likely = [...(meansAccount(wrong) ? [accountPath] : []), ...nearestTo(wrong)]
  const near = [...new Set(likely)].flatMap(path => byPath.get(path) ?? [])
  const openable = near.filter(({ isOpenable }) => isOpenable)
  const others = near.filter(({ isOpenable }) => !isOpenable)
  const oneOf = (names: readonly string[]) =>
    names.length > 0 ? names.reduce((methods, method) => fillText(words.either, { methods, method })) : ''
  return {
    heading: isKnown ? words.forPrograms : words.nothing,
    explanation: isKnown ? fillText(words.calledBy, { methods: oneOf(allowed) }) : words.check,
    isNear: near.length > 0,
    nearPages: openable.map(({ path, isTranslated }) => ({ path, query: isTranslated ? query : '' })),
    nearCalls: others.map(({ path, methods }) => ({ path, methods: oneOf(methods) })),
  }
}

export default notFound
export const handler = lambda(notFound, () => ({ ...settings, read: readPage }))

/** An import statement would load the file system at every cold start. */
function readPage(tag: string): NotFoundPage {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  return JSON.parse(readFileSync(`${import.meta.dirname}/${pageFile('not-found', tag)}`, 'latin1'))
}
