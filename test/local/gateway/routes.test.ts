import { expect, test } from 'vitest'
import { routeFinder } from '../../../local/gateway/routes.ts'

const keys = [
  '$default',
  'GET /things/{proxy+}',
  'ANY /things/{id}',
  'GET /things/{id}',
  'GET /things/special',
  'POST /things/special',
  'GET /things/{id}/parts/{part}',
  'GET /',
]
const find = routeFinder(new Map(keys.map(key => [key, key])))

test.each([
  ['GET', '/', 'GET /', {}],
  ['GET', '/things/special', 'GET /things/special', {}],
  ['POST', '/things/special', 'POST /things/special', {}],
  ['GET', '/things/7', 'GET /things/{id}', { id: '7' }],
  ['DELETE', '/things/7', 'ANY /things/{id}', { id: '7' }],
  ['PUT', '/things/special', 'ANY /things/{id}', { id: 'special' }],
  ['HEAD', '/', '$default', {}],
  ['GET', '/things/7/parts/8', 'GET /things/{id}/parts/{part}', { id: '7', part: '8' }],
  ['GET', '/things/7/others/8', 'GET /things/{proxy+}', { proxy: '7/others/8' }],
  ['GET', '/things/', '$default', {}],
  ['GET', '/things/special/', 'GET /things/{proxy+}', { proxy: 'special/' }],
  ['GET', '/things', '$default', {}],
  ['GET', '/thing', '$default', {}],
  ['GET', '/Things/special', '$default', {}],
  ['POST', '/things/7/parts/8', '$default', {}],
])('%s %s takes the route %s', (method, path, routeKey, pathParameters) => {
  expect(find(method, path)).toEqual({ routeKey, pathParameters, target: routeKey })
})

test('without a $default route there is none for an unknown path', () => {
  expect(routeFinder(new Map([['GET /', 1]]))('GET', '/other')).toBeNull()
})
