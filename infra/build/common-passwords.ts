import { packPasswords } from '../../shared/accounts/passwords/common-passwords.ts'
import { countCodePoints, passwordLength } from '../../shared/accounts/passwords/password.ts'
import { writeWhatChanged } from '../../shared/prebuilt/write.ts'

/**
 * The most common passwords that are long enough to be chosen: some 18,000 of zxcvbn's dictionary, which holds 49,000
 * from leaks. OWASP ASVS 6.2.4 asks for 3,000.
 */
export async function packCommonPasswords(): Promise<string> {
  // Not with this file: whoever only asks where bundles lie would load a third of a megabyte.
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  const isLongEnough = (password: string) => countCodePoints(password) >= passwordLength.min
  const text = packPasswords(dictionary['passwords-common'].filter(isLongEnough))
  // Functions read it byte by byte, and look for lower case.
  if (!/^[\n\x20-\x7e]*$/.test(text)) throw new Error('The common passwords are no longer ASCII')
  return text
}

/** Writes the list to each of these files. */
export async function writeCommonPasswords(files: readonly string[]): Promise<void> {
  const text = await packCommonPasswords()
  for (const file of files) writeWhatChanged(file, text)
}
