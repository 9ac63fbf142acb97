import { otherForms } from '../accounts/password/forms.ts'

const base64 = (bytes: number): string => Buffer.alloc(bytes, 1).toString('base64')
const unpadded = (bytes: number): string => base64(bytes).replace(/=+$/, '')
const hex = (bytes: number): string => '01'.repeat(bytes)
const salt = '.'.repeat(22)
const bcrypt = salt + '.'.repeat(31)
/** ASP.NET Identity 3: SHA-512, 100,000 rounds, 16 bytes of salt (.NET 7). */
const identity3 = Buffer.concat([Buffer.of(1, 0, 0, 0, 2, 0, 1, 0x86, 0xa0, 0, 0, 0, 16), Buffer.alloc(48, 1)])

/**
 * A hash of each form of other systems, with its system's default parameters: Django 5.2, passlib 1.7, Werkzeug 3, and so on. No
 * password makes one, so all passwords are wrong.
 */
export const otherHashes: Readonly<Record<string, string>> = {
  bcrypt: `$2b$10$${bcrypt}`,
  'bcrypt over SHA-256, Django': `bcrypt_sha256$$2b$12$${bcrypt}`,
  'bcrypt over SHA-256, passlib': `$bcrypt-sha256$2b,12$${salt}$${'.'.repeat(31)}`,
  WordPress: `$wp$2y$10$${bcrypt}`,
  'PBKDF2, Django': `pbkdf2_sha256$1000000$${salt}$${base64(32)}`,
  'PBKDF2, passlib': `$pbkdf2-sha256$29000$${unpadded(16)}$${unpadded(32)}`,
  'PBKDF2, Keycloak': `$pbkdf2-sha512$210000$${unpadded(16)}$${unpadded(64)}`,
  'PBKDF2, Werkzeug': `pbkdf2:sha256:1000000$${salt}$${hex(32)}`,
  'ASP.NET Identity 3': identity3.toString('base64'),
  'ASP.NET Identity 2': Buffer.alloc(49).toString('base64'),
  'scrypt, passlib': `$scrypt$ln=16,r=8,p=1$${unpadded(16)}$${unpadded(32)}`,
  'scrypt, Django': `scrypt$16384$${salt}$8$5$${base64(64)}`,
  'scrypt, Werkzeug': `scrypt:32768:8:1$${salt}$${hex(64)}`,
  'Better Auth': `${hex(16)}:${hex(64)}`,
  Firebase: `$fbscrypt$v=1,n=14,r=8,p=1,ss=${base64(1)},sk=${base64(64)}$${base64(8)}$${base64(64)}`,
  'argon2, Django': `argon2$argon2id$v=19$m=102400,t=2,p=8$${unpadded(16)}$${unpadded(32)}`,
  'argon2, Keycloak': `$argon2id$v=19$m=7168,t=5,p=1$${unpadded(16)}$${unpadded(32)}`,
  phpass: `$P$B${'.'.repeat(30)}`,
  'Drupal 7': `$S$D${'.'.repeat(51)}`,
}

const missing = otherForms.filter(({ pattern }) => !Object.values(otherHashes).some(hash => pattern.test(hash)))
if (missing.length > 0) throw new Error(`no hash is measured of ${missing.map(({ written }) => written).join('; ')}`)
