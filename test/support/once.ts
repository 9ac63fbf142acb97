import bcrypt from 'bcryptjs'

/** Memoises a function by its arguments. */
export function once<Args extends unknown[], T>(make: (...args: Args) => T): (...args: Args) => T {
  const made = new Map<string, T>()
  return (...args) => {
    const key = JSON.stringify(args)
    const known = made.get(key) ?? make(...args)
    made.set(key, known)
    return known
  }
}

// No mocks, which would record each of millions of calls.
const { hash } = bcrypt
const hashOf = once((password: string, salt: string | number) => hash(password, salt))
const { NumberFormat } = Intl
const formatOf = once((...args: ConstructorParameters<typeof NumberFormat>) => new NumberFormat(...args))
const inWords = Date.prototype.toLocaleString
const wordsOf = once((time: number, ...style: []) => inWords.apply(new Date(time), style))

/**
 * Thousands of runs need the same hashes, numbers and times in words: from now on each is made once.
 *
 * @returns undoes it
 */
export function makeEachOnce(): () => void {
  bcrypt.hash = hashOf
  Intl.NumberFormat = new Proxy(NumberFormat, { construct: (_, args) => formatOf(...args) })
  Date.prototype.toLocaleString = function (...style: unknown[]) {
    return wordsOf(this.getTime(), ...(style as []))
  }
  return () => {
    bcrypt.hash = hash
    Intl.NumberFormat = NumberFormat
    Date.prototype.toLocaleString = inWords
  }
}
