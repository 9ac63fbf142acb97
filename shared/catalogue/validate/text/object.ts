// Queries that are written as an object: JSON, a Python dictionary, or the call that takes one.

/** Half-open, in UTF-16 units of the text that was received. */
export type Span = [start: number, end: number]

/** `values` are those of a list, or one. */
type Member = { name: string; nameSpan: Span; values: string[]; valueSpan: Span }

/** `address` is that of the call, or empty. */
export type ObjectText = { address: string; members: Member[] }

const opening = /\s*(?:(?:const|let|var)\s+)?(?:(?:params|payload|query|data|args)\s*=\s*)?\{/iy
/** Not of `fetch`, whose object holds options. */
const call =
  /\s*(?:\w+\s*=\s*)?(?:await\s+)?(?!(?:\w+\.)*fetch\()[\w.]+\(\s*(?:url\s*=\s*)?(["'])(https?:\/\/[^"']*)\1\s*,\s*(?:(?:params|data)\s*=\s*)?\{/y
const space = /\s*/y
const quoted = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/y
const bareName = /[A-Za-z_]\w*/y
const bareValue = /-?\d+(?:\.\d+)?|true|false|null|None/iy

/**
 * Reads an object of texts, numbers, booleans and lists. Members that are false or null are left out.
 *
 * @returns null for any other text
 */
export function readObject(text: string): ObjectText | null {
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found
  }
  const takeSign = (sign: string): boolean => {
    take(space)
    const is = text[at] === sign
    if (is) at++
    return is
  }
  const takeText = (bare: RegExp): string | null => {
    take(space)
    const found = take(quoted)
    return found ? unescaped(found[1] ?? found[2] ?? '') : (take(bare)?.[0] ?? null)
  }
  const takeValues = (): string[] | null => {
    if (!takeSign('[')) {
      const isQuoted = /["']/.test(text[at] ?? '')
      const value = takeText(bareValue)
      if (value === null || isQuoted) return value === null ? null : [value]
      if (/^(?:false|null|none)$/i.test(value)) return []
      return [/^true$/i.test(value) ? '1' : value]
    }
    const values: string[] = []
    while (!takeSign(']')) {
      const value = takeText(bareValue)
      if (value === null) return null
      values.push(value)
      takeSign(',')
    }
    return values
  }

  const found = take(opening) ?? take(call)
  if (!found) return null
  const members: Member[] = []
  while (!takeSign('}')) {
    take(space)
    const nameStart = at
    const name = takeText(bareName)
    const nameSpan: Span = [nameStart, at]
    if (name === null || !takeSign(':')) return null
    take(space)
    const valueStart = at
    const values = takeValues()
    if (values === null) return null
    if (values.length > 0) members.push({ name, nameSpan, values, valueSpan: [valueStart, at] })
    if (!takeSign(',') && text[at] !== '}') return null
  }
  const address = found[2] ?? ''
  return address !== '' || /^[\s;),]*$/.test(text.slice(at)) ? { address, members } : null
}

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_, code, sign) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : sign === 'n' ? '\n' : sign === 't' ? '\t' : sign,
  )
