import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hidden, hideSecrets, secretNames } from '../../../../catalogue/explorer/client/session/secrets.ts'
import { toFragment } from '../../../../catalogue/explorer/client/session/state.ts'
import { isSensitive, type Pair } from '../../../../catalogue/validate/text/pairs.ts'
import { frame, readPairs, readQuery } from '../../../../catalogue/validate/text/query.ts'
import { seed } from '../../../support/property.ts'
import { kept } from './kept.ts'

describe('what is a secret', () => {
  test.each([
    ['list=watchlist&wltoken=SECRET&wlowner=Ada', `list=watchlist&wltoken=${hidden}&wlowner=Ada`],
    ['wltoken=SECRET&wltoken=SECRET', `wltoken=${hidden}&wltoken=${hidden}`],
    ['wltoken=SEC%52ET=&a=b', `wltoken=${hidden}&a=b`],
    ['wltoken%3DSECRET', `wltoken=${hidden}`],
    ['wltoken=SEC#RET', `wltoken=${hidden}#`],
    ['a%26wltoken%3DSECRET', `a=${hidden}`],
    ['https://ada:SECRET@wiki.example/w/api.php?prop=info', 'https://wiki.example/w/api.php?prop=info'],
    ['//ada:SECRET@wiki.example/w/api.php?prop=info', 'https://wiki.example/w/api.php?prop=info'],
    ['https:\\\\ada:SECRET@wiki.example/w/api.php?prop=info', 'https://wiki.example/w/api.php?prop=info'],
    ['ht\ntps://ada:SECRET@wiki.example/w/api.php?prop=info', 'https://wiki.example/w/api.php?prop=info'],
    ['ada:SECRET@wiki.example/w/api.php?prop=info', '?prop=info'],
    ['SECRET@wiki.example/w/api.php?prop=info', '?prop=info'],
    ['https://ada:SEC/RET@wiki.example/w/api.php?a?b=c', '?a?b=c'],
    ['https://wiki.example/w/api.php&wltoken=SECRET', '?'],
    ['https://wiki.example/w/api.php?prop=info#SECRET', 'https://wiki.example/w/api.php?prop=info#'],
    ['action=login&lgname=Ada&lgpassword=SECRET', `action=login&lgname=Ada&lgpassword=${hidden}`],
    ['list=watchlist\nwltoken=SECRET', `list=watchlist\nwltoken=${hidden}`],
    ['list=watchlist;wltoken=SECRET&prop=info', `list=watchlist;wltoken=${hidden}&prop=info`],
    ['list=search&srsearch=wltoken=SECRET', `list=search&srsearch=wltoken=${hidden}`],
    ['srsearch=wltoken%3DSECRET', `srsearch=wltoken%3D${hidden}`],
    ['srsearch=my+Password+:+SECRET', `srsearch=my+Password+:${hidden}`],
    ['srsearch={"lgpassword": "SECRET"}', `srsearch={"lgpassword":${hidden}`],
    ['srsearch=%25%37%34oken=SECRET', `srsearch=${hidden}`],
    ['wlto%2525256ben=SECRET', `wlto=${hidden}`],
    ['a=b;wlto%256ben%253DSECRET', `a=b;wlto%256ben%253D${hidden}`],
    ['password:SECRET&a=b', `password=${hidden}&a=b`],
  ])('%j is kept as %j', (text, shown) => {
    expect(hideSecrets(text)).toBe(shown)
    expect(kept(text)).toBe(shown)
  })

  test.each([
    ['a name without a value', 'meta=tokens&wltoken'],
    ['a name with an empty value', 'wltoken=&type=csrf'],
    ['an address', ' https://en.wikipedia.org/w/api.php?action=query '],
    ['a path with an @', 'https://wiki.example/@ada/api.php?prop=info'],
    ['a word that no value follows', 'titles=token|Password&srsearch=token of love;password=&x=token '],
    ['what only looks like one', 'titles=tok=en;pass:word'],
    ['pairs that are empty', '&&a=b&&c&'],
    ['what follows a # that no address has', 'titles=C#&prop=info'],
    ['an address without a scheme', 'en.wikipedia.org/w/api.php?prop=info'],
  ])('%s is none', (_, text) => {
    expect(kept(text)).toBe(text)
  })

  test('its names are told once each, where they have a value', () => {
    expect(secretNames('wltoken=a&wltoken=b&wrtoken=&csrftoken&titles=token')).toEqual({ there: ['wltoken'], gone: [] })
    expect(secretNames('lgpassword=a&srsearch=token=b')).toEqual({ there: ['lgpassword', 'srsearch'], gone: [] })
  })

  test('whose mask alone is left is gone', () => {
    const text = 'wltoken=a&srsearch=token:b&lgpassword='
    expect(secretNames(kept(text))).toEqual({ there: [], gone: ['wltoken', 'srsearch'] })
  })

  const word = fc.constantFrom(
    ...'titles prop token wltoken x ä % %E4 # ? = & / @ : // https:// | ***'.split(' '),
    'a b',
    '\n',
  )
  const text = fc
    .array(fc.oneof(word, fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 20 })
    .map(words => words.join(''))

  const spelled = (letter: string) =>
    fc.constantFrom(
      letter,
      letter.toUpperCase(),
      `%${letter.charCodeAt(0).toString(16)}`,
      `%${letter.toUpperCase().charCodeAt(0).toString(16)}`,
    )
  const spelledWord = fc
    .constantFrom('token', 'password')
    .chain(word => fc.tuple(...[...word].map(spelled)))
    .chain(letters => {
      const deeper = (text: string) => text.replaceAll('%', '%25')
      const word = letters.join('')
      return fc.constantFrom(word, deeper(word), deeper(deeper(word)))
    })

  test('survives in no spelling of its name, anywhere in a query', () => {
    const around = fc.array(fc.constantFrom('a=b', '', 'titles=%E4', 'x', 'srsearch=why?'), { maxLength: 3 })
    const address = fc.constantFrom('', '?', 'https://ada:SECRET@wiki.example/?', ' //SECRET@wiki.example/w/api.php?')
    const law = fc.tuple(
      address,
      around,
      fc.constantFrom('', 'wl', 'csrf', '%77', 'list=watchlist;', 'list=watchlist\n', 'srsearch=', 'srsearch=x%26'),
      spelledWord,
      fc.constantFrom('=', '%3D', '%253D'),
      around,
    )
    fc.assert(
      fc.property(law, ([before, first, prefix, name, equals, last]) => {
        const whole = `${before}${[...first, `${prefix}${name}${equals}SECRET`, ...last].join('&')}#SECRET`
        expect(decodeURIComponent(toFragment({ text: whole, limits: 'any' }))).not.toContain('SECRET')
      }),
      { seed, numRuns: 500 },
    )
  })

  test('is all that is taken out of a text', () => {
    fc.assert(
      fc.property(text, each => {
        // Unreadable code is dropped as a whole.
        fc.pre(readQuery(each) !== null)
        const { before, after } = frame(each)
        const isSecret = ({ name, value }: Pair) => isSensitive(name) || /token.*[=:]/is.test(value)
        const hasSecret = readPairs(each).some(isSecret) || /token/i.test(before + after)
        fc.pre(!hasSecret && !before.includes('@') && !(before.trim() && after.startsWith('#')))
        expect(kept(each)).toBe(each)
      }),
      { seed, numRuns: 1000 },
    )
  })

  test('is looked for in a time that grows with the text alone', () => {
    for (const part of ['token', '%25', 'token ', 'password-', '%2574'])
      expect(kept(`titles=${part.repeat(7_000)}`)).toBe(`titles=${part.repeat(7_000)}`)
  })

  test('is taken out whole at once: what is kept has none', () => {
    fc.assert(
      fc.property(text, each => {
        expect(kept(kept(each))).toBe(kept(each))
      }),
      { seed, numRuns: 1000 },
    )
  })

  test('leaves every other name and value as they were', () => {
    fc.assert(
      fc.property(text, each => {
        const others = (query: string) =>
          readPairs(query)
            .filter(({ name, value }) => name !== '' && !/token/i.test(name) && !/token.*[=:]/is.test(value))
            .map(({ name, value }) => [name, value])
        const before = others(each)
        const after = others(kept(each))
        for (const pair of before) expect(after).toContainEqual(pair)
      }),
      { seed, numRuns: 1000 },
    )
  })
})
