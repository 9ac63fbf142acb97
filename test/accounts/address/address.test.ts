import { expect, test } from 'vitest'
import { canonicalEmail } from '../../../accounts/address/address.ts'

test.each([
  ['is trimmed', ' \tada@example.com\n', 'ada@example.com'],
  ['is lower-cased', 'Ada.Lovelace@Example.COM', 'ada.lovelace@example.com'],
  ['has its domain put in punycode', 'x@bücher.example', 'x@xn--bcher-kva.example'],
  ['has its domain folded', 'x@BÜCHER.example', 'x@xn--bcher-kva.example'],
])('an address %s', (_, text, canonical) => {
  expect(canonicalEmail(text)).toBe(canonical)
})

test.each([
  ['is kept when it is plain', 'ada@example.com'],
  ['may have an apostrophe', "o'brien@example.com"],
  ['may have a tag, and a domain in punycode', 'a+b@xn--bcher-kva.example'],
  ['may have all of atext', "!#$%&'*+-/?=^_`{|}~@example.com"],
  ['may have 64 characters before the @', `${'a'.repeat(64)}@example.com`],
  ['may have a sub-domain', 'a@mail.example.co.uk'],
])('an address %s', (_, canonical) => {
  expect(canonicalEmail(canonical)).toBe(canonical)
})

const longest = `a@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(60)}`

test('an address may have 254 characters and not one more', () => {
  expect(longest).toHaveLength(254)
  expect(canonicalEmail(longest)).toBe(longest)
  expect(canonicalEmail(`a${longest}`)).toBeNull()
})

test.each([
  ['one label', 'a@b'],
  ['two dots in a row', 'a..b@x.com'],
  ['a dot first', '.a@x.com'],
  ['a dot last', 'a.@x.com'],
  ['a quoted string', '"a b"@x.com'],
  ['an address literal', 'a@[127.0.0.1]'],
  ['an IPv4 address', 'a@127.0.0.1'],
  ['a number that a URL parser takes for an IPv4 address', 'a@0x7f.1'],
  ['U+212A for K', '\u212Aate@example.com'],
  ['a full-width letter', 'ａda@example.com'],
  ['a dotless i', 'ıda@example.com'],
  ['a letter that is not ASCII', 'dörte@example.com'],
  ['no @', 'example.com'],
  ['nothing before the @', '@example.com'],
  ['nothing behind the @', 'ada@'],
  ['nothing at all', ''],
  ['two @', 'a@b@example.com'],
  ['a space inside', 'a da@example.com'],
  ['a line break inside', 'ada@example.com\nBcc: x@y.z'],
  ['a NUL', 'a\0da@example.com'],
  ['65 characters before the @', `${'a'.repeat(65)}@example.com`],
  ['a label of 64 characters', `a@${'b'.repeat(64)}.com`],
  ['a hyphen at an end of a label', 'a@-b.com'],
  ['an underscore in the domain', 'a@b_c.com'],
  ['a percent escape in the domain', 'a@ex%61mple.com'],
  ['a port', 'a@example.com:25'],
  ['a path', 'a@example.com/x'],
  ['a trailing dot', 'a@example.com.'],
  ['broken punycode', 'a@xn--\u00e9.com'],
  ['punycode of nothing', 'a@xn--a.com'],
  ['a display name', 'Ada <ada@example.com>'],
  ['a comment', 'ada(x)@example.com'],
  ['an encoded word, which some mailers decode', '=?utf-8?q?bob=40x.com=3e?=@example.com'],
  ['the beginning of an encoded word', 'ada=?@example.com'],
  ['a lone surrogate', 'a@\ud800.com'],
])('an address with %s is refused', (_, text) => {
  expect(canonicalEmail(text)).toBeNull()
})

test('the canonical form is its own canonical form', () => {
  for (const text of ['Ada@BÜCHER.example', "O'Brien@Example.com", longest]) {
    const canonical = canonicalEmail(text)
    expect(canonical).not.toBeNull()
    expect(canonicalEmail(canonical ?? '')).toBe(canonical)
  }
})
