import { packPasswords } from '../../shared/accounts/passwords/common-passwords.ts'
import { countCodePoints, passwordLength } from '../../shared/accounts/passwords/password.ts'
import { writeIfChanged } from '../../shared/prebuilt/write.ts'

/**
 * The most common passwords that are long enough for an account: some 18,000 of the 49,000 leaked ones in zxcvbn's
 * dictionary. OWASP ASVS 6.2.4 requires 3,000.
 */
export async function packCommonPasswords(): Promise<string> {
  // Loaded on demand: it is a third of a megabyte, and some importers only need the paths of bundles.
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const isLongEnough = (password: string) => countCodePoints(password) >= passwordLength.min
  const text = packPasswords(dictionary['passwords-common'].filter(isLongEnough))
  // Functions search it byte by byte, in lower case.
  if (!/^[\n\x20-\x7e]*$/.test(text)) throw new Error('The list of common passwords must be printable ASCII')
  return text
}

export async function writeCommonPasswords(files: readonly string[]): Promise<void> {
  const text = await packCommonPasswords()
  for (const file of files) writeIfChanged(file, text)
}
