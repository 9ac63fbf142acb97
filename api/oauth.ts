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

/** The differences of rows with `form`: they take a form, and refuse with errors of RFC 6749 §5.2. */
export const oauth = (deps: Pick<System, 'log'> & Configured<'corsOrigins'>): Step => ({
  before({ event }) {
    const { 'content-type': type, authorization } = event.headers
    // No media type is no form either: pages of other origins can send it.
    if (event.body && !type) throw new OAuthError('invalid_request', formAlone)
    const form = parseForm(readBytes(event, terms))
    if (form === 'malformed') throw new OAuthError('invalid_request', formAlone)
    if (form === 'repeated') throw new OAuthError('invalid_request', 'A parameter is given more than once')
    event.oauth = { form, authorization, isFromUnlistedPage: isFromUnlistedPage(deps, event) }
  },
  // The returned value is the answer, so no earlier step renders the error again.
  onError({ error }) {
    if (!(error instanceof OAuthError)) logError(deps, error)
    return oauthProblem(error)
  },
})
