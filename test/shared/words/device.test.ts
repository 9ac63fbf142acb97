import { describe, expect, test } from 'vitest'
import { de } from '../../../shared/words/de.ts'
import { nameDevice, sayDevice } from '../../../shared/words/device.ts'
import { en } from '../../../shared/words/en.ts'

const english = en.pages.forms.browserOn

describe('the name of a device', () => {
  test.each([
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      'Chrome, Linux',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
      'Edge, Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
      'Chrome, iPhone',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox, macOS'],
    ['Firefox', 'Firefox'],
    ['curl/8.14.1', ''],
  ])('of the agent %j is %j, without a word', (agent, name) => {
    expect(nameDevice(agent)).toBe(name)
  })

  test('is said in words of whoever reads it', () => {
    expect(sayDevice('Chrome, Linux', english)).toBe('Chrome on Linux')
    expect(sayDevice('Chrome, Linux', de.pages.forms.browserOn)).toBe('Chrome unter Linux')
  })

  test.each([
    'Chrome on Linux',
    'Phone',
    'Chrome',
    'Phone, Linux',
    'Chrome, Ada',
    'Chrome, Linux, Ada',
    '{browser}, Linux',
    '',
  ])('is %j as it stands, where somebody gave it', label => {
    expect(sayDevice(label, english)).toBe(label)
  })
})
