/** Every code point except the surrogates. */
const characters = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter(character =>
  character.isWellFormed(),
)

/** All decimal digits of Unicode. */
export const decimalDigits = characters.filter(character => /\p{Nd}/u.test(character))

/** The digits from 0 to 9 of each system in `Intl`. */
export const digitSystems: readonly (readonly [system: string, digits: readonly string[]])[] = Intl.supportedValuesOf(
  'numberingSystem',
)
  .map(numberingSystem => {
    const { format } = new Intl.NumberFormat('en', { numberingSystem })
    return [numberingSystem, Array.from({ length: 10 }, (_, value) => format(value))] as const
  })
  .filter(([, digits]) => digits.every(digit => decimalDigits.includes(digit)))

/** Separators, punctuation, symbols and controls, which are neither letters nor digits. */
const signs = characters.filter(
  character => /[\p{Z}\p{P}\p{S}\p{Cc}\p{Cf}]/u.test(character) && !/[\p{L}\p{N}]/u.test(character.normalize('NFKC')),
)

const inDigits = (code: string, digits: readonly string[]) =>
  code.replaceAll(/[0-9]/g, digit => digits[Number(digit)] ?? '')
const wide = (code: string) => code.replaceAll(/[!-~]/g, sign => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0))

/** A possible form of a code in a field: wide, with a direction of its own, after a blank and before a line break. */
export const disguise = (code: string): string => `\u3000\u2068${wide(code)}\u2069\r\n`

/** Forms that phones, office programs and people give to an ASCII code. */
export const codeForms: Readonly<Record<string, (code: string) => string>> = {
  'as it is': code => code,
  'in lower case': code => code.toLowerCase(),
  'in groups of three': code => code.replaceAll(/.{3}/g, '$& '),
  wide,
  'wide in a direction of its own': disguise,
  'in letters of mathematics': code =>
    code.replaceAll(/[A-Z]/g, letter => String.fromCodePoint(letter.charCodeAt(0) - 65 + 0x1d400)),
  'in keycaps': code => code.replaceAll(/./g, '$&\ufe0f\u20e3'),
  'between marks of direction': code => `\u2068\u200e${code}\u200f\u2069`,
  'on several lines': code => `\ufeff${code.replaceAll(/.{4}/g, '$&\r\n')}\u2028`,
  'with every sign around each character': code => ['', ...code, ''].join(signs.join('')),
  ...Object.fromEntries(
    digitSystems.map(([system, digits]) => [`in the digits ${system}`, code => inDigits(code, digits)]),
  ),
}
