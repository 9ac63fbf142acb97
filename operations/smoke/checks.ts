import { type Checklist, Skipped } from '../command-line/checklist.ts'
import { checkOwner } from './account.ts'
import { checkCatalogue, checkCloudFront } from './catalogue-checks.ts'
import { Client } from './client.ts'
import { checkProtocol } from './protocol.ts'
import { checkDescription, checkKeys } from './published.ts'
import { checkRegistration, type Registration } from './registration.ts'

export interface Stage extends Pick<Registration, 'email' | 'otherEmail' | 'findLink' | 'audience'> {
  /** The API, without a trailing slash. */
  baseUrl: string
  /** CloudFront's address of the catalogue, without the path; null if unknown or absent. */
  cdnUrl: string | null
  /** An allowed origin. */
  origin: string
}

/** An origin that no CORS_ORIGINS lists. */
export const anyOrigin = 'https://anywhere.invalid'

/** Checks a stage, or a system on this machine, from outside. @returns the address of a remaining account, or null */
export async function checkStage(
  checklist: Checklist,
  { baseUrl, cdnUrl, origin, ...registration }: Stage,
): Promise<string | null> {
  const client = new Client(baseUrl)
  const isThere = await checklist.check(`${baseUrl} answers`, () => client.ask('GET', '/auth/me'))
  if (isThere === null) return null
  await checkProtocol(checklist, client, origin)
  const keys = await checkKeys(checklist, client)
  const owner = await checkRegistration(checklist, client, { ...registration, keys })
  const isDeleted = owner !== null && (await checkOwner(checklist, client, owner, registration.findLink))
  await checkCatalogue(checklist, client, origin)
  await checkDescription(checklist, client)
  if (cdnUrl === null) {
    await checklist.check('CloudFront serves the catalogue', async () => {
      throw new Skipped('there is no CloudFront (CATALOGUE_CDN), or --catalogue does not name it')
    })
  } else {
    const cdn = new Client(cdnUrl)
    await checkCatalogue(checklist, cdn, anyOrigin)
    await checkCloudFront(checklist, cdn)
  }
  return owner !== null && !isDeleted ? owner.email : null
}
