import { describe, expect, test } from 'vitest'
import { bearerToken } from '../../../shared/api/caller.ts'

const codeOf = (field: string | undefined): unknown => {
  try {
    return bearerToken(field)
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

describe('a bearer token is taken', () => {
  test.each(['Bearer a.b.c', 'bearer a.b.c', 'BEARER a.b.c', 'Bearer   a.b.c'])('from %j', field => {
    expect(bearerToken(field)).toBe('a.b.c')
  })
})

describe('no credential is seen', () => {
  test.each([undefined, '', 'Basic a.b.c', 'a.b.c', 'Bearer.a.b.c', 'Bearers a.b.c'])('in %j', field => {
    expect(codeOf(field)).toBe('not-authenticated')
  })
})

/** RFC 6750 §2.1: the scheme, one or more spaces, the token, and nothing else. */
describe('a bearer credential is malformed', () => {
  test.each([
    'Bearer',
    'Bearer ',
    'Bearer\ta.b.c',
    'Bearer \ta.b.c',
    'Bearer a.b.c\t',
    'Bearer a.b.c ',
    ' Bearer a.b.c',
    '\tBearer a.b.c',
    'Bearer a.\tb.c',
    'Bearer a.b.c d',
    'Bearer a.b.c, Bearer a.b.c',
    'Bearer a.b.c\n',
    'Bearer\u00a0a.b.c',
    'Bearer a.b.c\u00a0',
  ])('in %j', field => {
    expect(codeOf(field)).toBe('invalid-access-token')
  })
})
