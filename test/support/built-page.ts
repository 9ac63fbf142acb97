import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NotFoundPage } from '../../functions/not-found.ts'
import type servePage from '../../functions/pages.ts'
import { bundleOf } from '../../infra/build/function-bundles.ts'
import type { Page } from '../../shared/base/page-answer.ts'
import { pageFile } from '../../shared/prebuilt/whole-page.ts'

export type PageConfig = Parameters<typeof servePage>[0]['config']

/** A product with nothing but a name. */
export const bare: PageConfig = {
  accentColor: null,
  accountPage: true,
  appUrl: null,
  browserUrl: null,
  issuer: 'https://api.acme.example/auth',
  languages: [],
  logoUrl: null,
  privacyUrl: null,
  passkeyRpId: null,
  productName: 'Acme',
  hasClients: true,
  hasProviders: true,
  sso: true,
  requireEmailVerification: false,
  secondFactor: 'optional',
  sessionDays: 30,
  signUp: 'open',
  supportEmail: null,
  termsUrl: null,
}

/** A built page with open gaps. @returns null if there is no such file */
export const builtPage = (file: string): Page | null => {
  const path = join(bundleOf('pages'), file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
}

export const builtNotFound = (tag: string): NotFoundPage =>
  JSON.parse(readFileSync(join(bundleOf('not-found'), pageFile('not-found', tag)), 'utf8'))
