import { describe, expect, test } from 'vitest'
import { namedSender, senderField } from '../../../infra/settings/sender.ts'

describe('a sender without a name of its own gets the product’s', () => {
  const address = 'post@example.com'
  /** By the product's name: the text before the address. */
  const words = {
    'Ada & Co.': '"Ada & Co."',
    'Smith & Söhne': '=?UTF-8?B?U21pdGggJiBTw7ZobmU=?=',
    'The "Acme"': '=?UTF-8?B?VGhlICJBY21lIg==?=',
    '=?UTF-8?B?eA==?=': '=?UTF-8?B?PT9VVEYtOD9CP2VBPT0/PQ==?=',
  }
  test.each<[sender: string, name: string, field: string]>([
    ['no-reply@example.com', 'Acme', 'Acme <no-reply@example.com>'],
    ...Object.entries(words).map(([name, word]): [string, string, string] => [address, name, `${word} <${address}>`]),
    [`Post <${address}>`, 'Acme', `Post <${address}>`],
    ['', 'Acme', ''],
  ])('%j by %j is %j', (sender, name, field) => {
    expect(namedSender(senderField(sender) ?? '', name)).toBe(field)
  })

  test('in encoded words that no server has to fold (RFC 2047 §2)', () => {
    const field = namedSender('post@example.com', '門'.repeat(60))
    for (const word of field.split(' ')) expect(word.length).toBeLessThanOrEqual(75)
    expect(Buffer.byteLength(field)).toBe(field.length)
  })
})
