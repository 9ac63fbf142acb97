import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { inboxPage } from '../../local/inbox/inbox-page.ts'

const policy = inboxPage.headers['content-security-policy']

test('the inbox allows its one script by its exact bytes, and no other', () => {
  const scripts = [...inboxPage.body.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].map(([, body]) => body ?? '')
  const hashes = scripts.map(script => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  expect(hashes).toHaveLength(1)
  expect(policy.split('; ')).toContain(`script-src ${hashes[0]}`)
  expect(policy).toMatch(/^default-src 'none'; /)
})

test('the inbox loads nothing from elsewhere', () => {
  expect(inboxPage.body).not.toMatch(/\bsrc=|url\(|@import|https?:/)
})
