import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { testAfterAttack } from '../support/attack/after-attack.ts'
import type { Answer } from '../support/attack/raw-request.ts'
import { canary } from '../support/attack/safe-answer.ts'
import { startTarget } from '../support/attack/target.ts'
import { dashboardSecret } from '../support/clients.ts'
import { sentForm } from '../support/service/grants.ts'

/** Requests of applications and impostors, through the gateway to the running system. */

const target = startTarget({}, { concurrency: 10 })
target.secrets.add(dashboardSecret)

const send = (body: unknown, headers: Record<string, string> = {}, path = '/auth/token'): Promise<Answer> =>
  target.send({ method: 'POST', path, body, headers: { ...sentForm({}).headers, ...headers } })

const aboutForm = 'grant_type=refresh_token&client_id=shop&refresh_token='
const basic = (credentials: string) => ({ authorization: `Basic ${Buffer.from(credentials).toString('base64')}` })

test.each<[what: string, body: unknown, error: string, headers?: Record<string, string>]>([
  ['JSON that says it is a form', '{"grant_type":"refresh_token"}', 'invalid_request'],
  ['gzip that says it is none', gzipSync(aboutForm), 'invalid_request'],
  ['NUL bytes', Buffer.alloc(100), 'invalid_request'],
  ['4 MB', Buffer.alloc(4_000_000, '&'), 'invalid_request'],
  ['half of a surrogate pair', `${aboutForm}%ed%a0%80`, 'invalid_request'],
  ['NUL in another spelling', `${aboutForm}%c0%80`, 'invalid_request'],
  ['a parameter twice, in two spellings', `${aboutForm}x&client%5Fid=shop`, 'invalid_request'],
  ['parts of another encoding', aboutForm, 'invalid_request', { 'content-type': 'multipart/form-data; boundary=x' }],
  ['names that objects have', `__proto__=x&constructor=x&${aboutForm}${canary}`, 'invalid_grant'],
  ['such a name as grant type', 'grant_type=__proto__&client_id=shop', 'unsupported_grant_type'],
  ['such a name as client', 'grant_type=refresh_token&client_id=constructor', 'invalid_client'],
  ['lines for the log', `grant_type=refresh_token&client_id=%0a{"event":"${canary}"}`, 'invalid_client'],
  ['a secret and more', aboutForm, 'invalid_request', basic(`dashboard:${dashboardSecret}`)],
  ['a secret behind a NUL', 'grant_type=refresh_token', 'invalid_client', basic(`dashboard\0:${dashboardSecret}`)],
  ['two credentials', 'grant_type=refresh_token', 'invalid_client', { authorization: 'Basic c2hvcDo=, Bearer x' }],
])('the token endpoint refuses %s', async (_, body, error, headers) => {
  const answer = await send(body, headers)
  expect([answer.status, answer.body.error]).toEqual([
    headers?.authorization && error === 'invalid_client' ? 401 : 400,
    error,
  ])
})

testAfterAttack(target)
