import { describe, expect, test } from 'vitest'
import { requestMail } from '../../../accounts/mail/queue.ts'
import { createHarness } from '../../support/service/harness.ts'
import { ada, home, register } from '../../support/service/people.ts'

const harness = createHarness()
const { deps } = harness

describe('asking for a link', () => {
  test.each(['verification', 'reset'] as const)(
    'by %s makes two calls, the same for every address, without looking one up',
    async kind => {
      await register(harness)
      harness.calls.length = 0
      await requestMail(deps, home, kind, ada.email)
      await requestMail(deps, home, kind, 'bob@example.com')
      expect(harness.calls).toEqual(['UpdateItem RateLimits', 'SendMessage', 'UpdateItem RateLimits', 'SendMessage'])
    },
  )
})
