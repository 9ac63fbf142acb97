import { describe, expect, test } from 'vitest'
import { forms } from '../../../../catalogue/explorer/client/copy/forms.ts'
import { readRequest } from '../../../../catalogue/explorer/client/copy/request.ts'
import { sentBy, usual } from './sent-by.ts'

describe('where a copied query goes', () => {
  const addressed = [
    ['https://de.wikipedia.org/w/api.php?list=search', 'https://de.wikipedia.org/w/api.php'],
    [' HTTP://localhost:8080/api.php?a=b#x ', 'http://localhost:8080/api.php'],
    ['//wiki.example/w/api.php?a=b', 'https://wiki.example/w/api.php'],
    ['https://wiki.example?a=b', 'https://wiki.example/'],
    ['https://ada:SECRET@wiki.example/w/api.php?a=b', 'https://wiki.example/w/api.php'],
    ['https://en.wikipedia.org@evil.example/w/api.php?a=b', 'https://evil.example/w/api.php'],
    ['https://wіkipedia.org/w/api.php?a=b', 'https://xn--wkipedia-thh.org/w/api.php'],
    ['https://wiki.example/`id`/$(id)/%27?a=b', 'https://wiki.example/%60id%60/$(id)/%27'],
    ["https://wiki.example/it's/[a]?a=b", "https://wiki.example/it's/[a]"],
    ['de.wikipedia.org/w/api.php?list=tags', 'https://de.wikipedia.org/w/api.php'],
    [' wiki.example:8080/?a=b', 'https://wiki.example:8080/'],
    ['bücher.example/w/api.php?a=b', 'https://xn--bcher-kva.example/w/api.php'],
    ['GET https://de.wikipedia.org/w/api.php?list=search', 'https://de.wikipedia.org/w/api.php'],
    ['GET /w/api.php?list=search HTTP/1.1\nHost: de.wikipedia.org', 'https://de.wikipedia.org/w/api.php'],
    ['<https://de.wikipedia.org/w/api.php?list=search>', 'https://de.wikipedia.org/w/api.php'],
    ['https://[::1]:3000/a?a=b', 'https://[::1]:3000/a'],
  ] as const

  test.each(addressed.map(([text, endpoint]) => [text, endpoint, new URL(endpoint).host]))(
    'is %j to %j, at %s',
    async (text, endpoint, host) => {
      expect(readRequest(text)).toMatchObject({ endpoint, host, address: 'read' })
      const sent = await sentBy(text)
      for (const form of ['url', 'curl', 'fetch', 'python'])
        expect([form, sent[form]?.endpoint]).toEqual([form, endpoint])
    },
  )

  test.each(['', 'list=search', '?list=search', ' ?list=search', 'list=search&srsearch=why?'])(
    'is Wikipedia for %j, which has no address',
    text => {
      expect(readRequest(text)).toMatchObject({ endpoint: usual, host: 'en.wikipedia.org', address: 'none' })
    },
  )

  test.each([
    'api.php?list=search',
    '/w/api.php?list=search',
    'localhost:8080/w/api.php?list=search',
    'ada:SECRET@wiki.example/w/api.php?list=search',
    'javascript:alert(1)?a=b',
    'ftp://wiki.example/?a=b',
    'https://?a=b',
    'https://a b/?a=b',
    'https://wiki.example/w/api.php&wltoken=SECRET',
  ])('is Wikipedia for %j, whose address cannot be read', text => {
    expect(readRequest(text)).toMatchObject({ endpoint: usual, host: 'en.wikipedia.org', address: 'unread' })
  })

  test('ends no script that it stands in', () => {
    const script = forms.fetch(readRequest('srsearch=</script><SCRIPT><!--<b></b>'))
    expect(script).toContain(String.raw`\x3c/script>\x3cSCRIPT>\x3c!--<b></b>`)
  })

  test('is never a pattern to curl', () => {
    expect(forms.curl(readRequest('https://wiki.example/[a-z]?a=b'))).toMatch(/^curl --get --globoff 'https:/)
  })
})

describe('a secret', () => {
  const text = 'list=watchlist&wlowner=Ada&wltoken=SECRET#SECRET'

  test('stands in no form, unless it is asked for', () => {
    for (const write of Object.values(forms)) {
      expect(write(readRequest(text))).not.toContain('SECRET')
      expect(write(readRequest(text))).toMatch(/wltoken.*\*\*\*/)
      expect(write(readRequest(text, { withSecrets: true }))).toContain('SECRET')
    }
  })

  test('goes into a body, never into an address, where there is a choice', async () => {
    const { curl, fetch, python } = await sentBy(text, { withSecrets: true })
    for (const sent of [curl, fetch, python]) {
      expect(sent?.method).toBe('POST')
      expect(sent?.endpoint).toBe(usual)
      expect(sent?.pairs.at(-1)).toEqual(['wltoken', 'SECRET'])
    }
  })

  test('of an address is in no form, even if it is asked for', () => {
    const request = readRequest('https://ada:SECRET@wiki.example/w/api.php?wltoken=x', { withSecrets: true })
    for (const write of Object.values(forms)) expect(write(request)).not.toContain('SECRET')
  })
})
