import { expect, test } from 'vitest'
import { rateLimitFields } from '../../../../shared/base/limits/request-limit.ts'

test('the remaining requests are stated in the IETF fields', () => {
  const standing = { name: 'login', policy: { limit: 60, seconds: 60 }, remaining: 59, resetSeconds: 30 }
  expect(rateLimitFields(standing)).toEqual({
    'ratelimit-policy': '"login";q=60;w=60',
    ratelimit: '"login";r=59;t=30',
  })
})
