import type { Configured } from '../shared/base/config.ts'
import { parseForm } from '../shared/base/form.ts'
import { logError } from '../shared/base/log.ts'
import { OAuthError, oauthProblem } from '../shared/base/oauth-error.ts'
import { isForm, readBytes } from '../shared/base/raw-body.ts'
import type { System } from '../shared/base/system.ts'
import { maxBody } from './body.ts'
import { isFromUnlistedPage } from './caller.ts'
import type { Step } from './step.ts'

const formAlone = 'Send the parameters as a form: application/x-www-form-urlencoded'

const terms = {
  bytes: maxBody,
  isTaken: isForm,
  refusals: {
    'body-too-large': 'The body is larger than 16 KiB',
    'missing-body': formAlone,
    'unsupported-media-type': formAlone,
  },
}

/** What rows with `form` do otherwise than the rest: they take a form, and refuse by errors of RFC 6749 §5.2. */
export const oauth = (deps: Pick<System, 'log'> & Configured<'corsOrigins'>): Step => ({
  before({ event }) {
    const { 'content-type': type, authorization } = event.headers
    // One without a type is no form either: a page of another origin can send it.
    if (event.body && !type) throw new OAuthError('invalid_request', formAlone)
    const form = parseForm(readBytes(event, terms))
    if (form === 'malformed') throw new OAuthError('invalid_request', formAlone)
    if (form === 'repeated') throw new OAuthError('invalid_request', 'A parameter is given more than once')
    event.oauth = { form, authorization, isFromUnlistedPage: isFromUnlistedPage(deps, event) }
  },
  // What it returns is the answer: no step before it renders the error once more.
  onError({ error }) {
    if (!(error instanceof OAuthError)) logError(deps, error)
    return oauthProblem(error)
  },
})
