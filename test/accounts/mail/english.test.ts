import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { acme, ada, everyMail } from './every-mail.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Other recipients and senders: one hash for all their mails, because only the greeting and the last line differ. */
const others = [
  [{ ...ada, name: null }, acme],
  [{ ...ada, isVerified: false }, acme],
  [ada, { ...acme, supportEmail: null }],
  [
    { ...ada, email: "o'brien&{product}@example.com", name: '<b> {email} [x] $& "بوابة"' },
    { ...acme, productName: `<i>{email} & 'بوابة' $1` },
  ],
] as const

test('English mails are to the byte what they were before there were other languages', async () => {
  const entries = Object.entries(everyMail).map(([name, writeTo]) => {
    const { subject, text, html } = writeTo(ada, acme)
    const shown = name === 'reset' ? html : `HTML: ${hashOf(html)}\n`
    const rest = others.map(([to, from]) => JSON.stringify(writeTo(to, from)))
    return `=== ${name}\n${subject}\n\n${text}\n${shown}Others: ${hashOf(rest.join('\n'))}\n`
  })
  await expect(entries.join('\n')).toMatchFileSnapshot('english.txt')
})
