// The page for unknown addresses of the catalogue.
import { answerTo } from '../../shared/base/answer.ts'
import { pageAnswer } from '../../shared/base/page-answer.ts'
import page from '../../shared/pages/not-found.html'
import type { HttpAnswer } from '../../shared/prebuilt/response.ts'
import { indexPage, modulePage, modulePath, setPage } from '../addresses.ts'
import type { NotFound } from './address.ts'

/** The catalogue's pages have their own name, the same for every product. */
const names = {
  accentColor: null,
  appUrl: null,
  logoUrl: null,
  privacyUrl: null,
  productName: 'Query modules',
  supportEmail: null,
  termsUrl: null,
}

export function answerAbsent(method: string, { missing, nearest }: NotFound): HttpAnswer {
  const place = {
    module: (name: string) => modulePage(modulePath(name)),
    set: setPage,
    parameter: (name: string) => name,
    path: (name: string) => `/catalogue/${name}`,
  }[missing]
  const gaps = {
    heading: missing === 'path' ? 'There is nothing at this address' : `There is no such ${missing}`,
    explanation: 'Check the address for typing mistakes.',
    isNear: true,
    nearPages: [...new Set([...nearest.map(place), indexPage])].map(path => ({ path })),
  }
  const { headers = {}, ...answer } = pageAnswer(page, names, { status: 404, gaps, headers: { vary: 'Accept' } })
  return answerTo(method, { statusCode: 404, body: '', isBase64Encoded: false, ...answer, headers } as HttpAnswer)
}
