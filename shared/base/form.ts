/**
 * Decodes a name or value of a form (URL standard, "application/x-www-form-urlencoded").
 *
 * @returns null for a broken escape, or bytes that are not UTF-8
 */
export function decodeFormText(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/**
 * Reads a form. A parameter without a value counts as absent (RFC 6749 §3.2).
 *
 * @returns `malformed` if undecodable, `repeated` if a parameter is given more than once (ibid.)
 */
export function parseForm(bytes: Uint8Array): ReadonlyMap<string, string> | 'malformed' | 'repeated' {
  const parameters = new Map<string, string>()
  // Raw bytes outside ASCII are not decoded as UTF-8: a valid form has none.
  for (const pair of Buffer.from(bytes).toString('latin1').split('&')) {
    const [rawName = '', ...rest] = pair.split('=')
    const [name, value] = [decodeFormText(rawName), decodeFormText(rest.join('='))]
    if (name === null || value === null) return 'malformed'
    if (value === '') continue
    if (parameters.has(name)) return 'repeated'
    parameters.set(name, value)
  }
  return parameters
}
