import { describe, expect, test } from 'vitest'
import { bearerToken, clientKey } from '../../api/caller.ts'

/** Clients as limits count them: the addresses of each key, and why. */
const clients = {
  '203.0.113.7': {
    '203.0.113.7': 'an IPv4 address is itself',
    '::ffff:203.0.113.7': 'an IPv4-mapped address is its IPv4 address',
    '::FFFF:203.0.113.7': 'the same in upper case',
    '::ffff:cb00:7107': 'an IPv4-mapped address in hexadecimal is its IPv4 address',
    '0:0:0:0:0:ffff:cb00:7107': 'the same with all its groups',
    '0000:0000::0000:FFFF:CB00:7107': 'the same with leading zeros',
    '0:0:0:0:0:ffff:203.0.113.7': 'the same with its end in decimal',
    '::ffff:203.0.113.7%eth0': 'the same with a zone',
  },
  '0.1.0.2': { '::ffff:1:2': 'its groups may be short' },
  '1:0:0:0::/64': { '1::ffff:cb00:7107': 'an address that only ends like an IPv4-mapped one is none' },
  '0:0:0:0::/64': {
    '::ffff:0:cb00:7107': 'an address with a group more is none either',
    '::1': 'the loopback address has a /64 too',
  },
  '2001:db8:1:2::/64': {
    '2001:db8:1:2:3:4:5:6': 'an IPv6 address is its /64',
    '2001:DB8:1:2:ffff::1': 'case and compression do not matter',
    '2001:0db8:0001:0002::1': 'leading zeros do not matter',
  },
  '2001:db8:0:0::/64': { '2001:db8::1': 'zeros that were left out count' },
  'fe80:0:0:0::/64': { 'fe80::1%eth0': 'a zone does not matter' },
}
const rows = Object.entries(clients).flatMap(([key, reasons]) =>
  Object.entries(reasons).map(([sourceIp, reason]) => [sourceIp, key, reason] as const),
)

test.each(rows)('%s counts as %s: %s', (sourceIp, key) => {
  expect(clientKey(sourceIp)).toBe(key)
})

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

/** RFC 6750 §2.1: the scheme, one or more spaces, and the token. */
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
