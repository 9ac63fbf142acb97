import * as v from 'valibot'
import { hostName } from '../../shared/accounts/host-name.ts'

/** What the texts of settings are held against. */

export const matching = (isRight: (text: string) => boolean) => v.pipe(v.string(), v.check(isRight))

/** A check that an empty text passes too: nothing is chosen. */
export const optional = (isRight: (text: string) => boolean) => matching(text => text === '' || isRight(text))

export const integer = (from: number, to: number) =>
  v.pipe(v.string(), v.regex(/^\d{1,6}$/), v.transform(Number), v.minValue(from), v.maxValue(to))

export const list = (isRight: (items: string[]) => boolean) =>
  v.pipe(
    v.string(),
    v.transform(text => text.split(',').map(item => item.trim())),
    v.check(isRight),
  )

export const isOrigin = (text: string): boolean =>
  URL.canParse(text) && new URL(text).origin === text && /^https?:\/\/[^*]+$/.test(text)

export const isSiteUrl = (text: string): boolean => URL.canParse(text) && /^https?:\/\/[^?#@\s"'<>\\]+$/i.test(text)

/** Where people may be sent: nothing that a browser would run, and no password in it. */
export function isWebAddress(text: string): boolean {
  if (!URL.canParse(text) || !/^https?:\/\/[^\s"'<>\\]+$/i.test(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/**
 * A name that people can read: at least one character to be seen, none that hides, breaks the line or turns the
 * direction. U+200C and U+200D join and part letters; variation selectors choose how an emoji looks.
 */
export const isName = (text: string, max: number): boolean =>
  /^(?:[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|[\u200c\u200d]|\p{Variation_Selector})+$/u.test(text) &&
  /[\p{L}\p{N}\p{S}\p{P}]/u.test(text) &&
  [...text].length <= max

/** A host name in lower case, as certificates and DNS providers show it. Its last label begins with a letter. */
export const isHostName = (text: string): boolean =>
  text.length <= 253 && hostName.test(text) && /\.[a-z][^.]+$/.test(text)

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** @param region where it must be; any when left out */
export const isCertificateArn = (region = '[a-z0-9-]+') => {
  const arn = new RegExp(`^arn:aws[a-z-]*:acm:${region}:\\d{12}:certificate/${uuid}$`)
  return (text: string): boolean => arn.test(text)
}

/** CloudFront's access control lists are global, and those lie in us-east-1 (AWS WAF, "CreateWebACL"). */
export const isGlobalWebAclArn = (text: string): boolean =>
  new RegExp(`^arn:aws[a-z-]*:wafv2:us-east-1:\\d{12}:global/webacl/[\\w-]{1,128}/${uuid}$`).test(text)
