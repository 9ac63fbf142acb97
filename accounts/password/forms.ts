import { type Argon2Algorithm, createCipheriv, createHash, createHmac, pbkdf2Sync, scryptSync } from 'node:crypto'
import { type Bounded, bcryptOver, equal, type Form, type Parts, readAs, type StoredHash } from './form.ts'

/**
 * The forms of stored hashes beside the service's own, each a row of `otherForms`. Functions load this file, beside their
 * bundle, when they meet such a hash: it imports little.
 *
 * The upper bounds are some two seconds of a core, within the time and the memory of functions that hash. Below the lower
 * ones a hash is hardly better than a plain digest. None is computed in the pool of threads: a function has one request at a
 * time.
 */

/** Bytes of a digest, and how many rounds of PBKDF2 with it take as long as a step of bcrypt: measured on Node 24. */
const digests = {
  sha1: { size: 20, perStep: 550 },
  sha256: { size: 32, perStep: 550 },
  sha512: { size: 64, perStep: 165 },
}
type Digest = keyof typeof digests

/** @param sizes in use: what PBKDF2 and scrypt derive begins all longer keys, so that a key which was cut off would verify */
const inBounds = (salt: Buffer, key: Buffer, sizes = [key.length]): Bounded => ({
  'bytes of salt': salt.length,
  'bytes of key, of a usual size,': sizes.includes(key.length) ? key.length : Number.NaN,
})

/** Reads base64. Another text of the same bytes than the usual one reads as nothing. */
function base64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : Buffer.alloc(0)
}

/** Base64 without its padding, for whose plus passlib writes a dot. */
function unpadded(text: string): Buffer {
  const standard = text.replaceAll('.', '+')
  return base64(standard + '='.repeat(-standard.length & 3))
}
const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const utf8 = (text: string): Buffer => Buffer.from(text)

/**
 * Computes one block and compares that much: blocks are independent (RFC 8018 §5.2), and an attacker computes no more.
 *
 * @param sizes of the keys that the system writes
 */
function pbkdf2(
  digest: Digest,
  stated: string | number,
  salt: Buffer,
  key: Buffer,
  sizes = [digests[digest].size],
): StoredHash {
  const rounds = Number(stated)
  const { size, perStep } = digests[digest]
  const block = key.subarray(0, size)
  return {
    name: `pbkdf2-${digest}`,
    parameters: { rounds },
    bounded: { [digest === 'sha512' ? 'rounds of SHA-512' : 'rounds']: rounds, ...inBounds(salt, key, sizes) },
    steps: rounds / perStep,
    isFrom: password => equal(pbkdf2Sync(password, salt, rounds, block.length, digest), block),
  }
}

/** ASP.NET Identity 3: a byte, the digest, the rounds and the size of the salt as big-endian integers, salt, key. */
function identity3(bytes: Buffer): StoredHash {
  const [digest = 0, rounds = 0, size = 0] = bytes.length < 13 ? [] : [1, 5, 9].map(at => bytes.readUInt32BE(at))
  const [salt, key] = [bytes.subarray(13, 13 + size), bytes.subarray(13 + size)]
  return pbkdf2((['sha1', 'sha256', 'sha512'] as const)[digest] ?? 'sha1', rounds, salt, key, [32])
}

type Derive = (password: string, size?: number) => Buffer

function scrypt(
  stated: (string | number)[],
  salt: Buffer,
  key: Buffer,
  sizes = [64],
  name = 'scrypt',
  compute = (derive: Derive, password: string) => derive(password),
): StoredHash {
  const [N = 0, r = 0, p = 0] = stated.map(Number)
  // RFC 7914 §2. Memory is N·r blocks of 128 bytes, and at most as much again for r·p.
  const isPossible = N > 1 && Number.isInteger(Math.log2(N)) && Math.log2(N) < 16 * r
  const derive: Derive = (password, size = key.length) => scryptSync(password, salt, size, { N, r, p, maxmem: 2 ** 30 })
  return {
    name,
    parameters: { N, r, p },
    bounded: {
      'N·r, with N a power of two,': isPossible ? N * r : Number.NaN,
      N·r·p: N * r * p,
      ...inBounds(salt, key, sizes),
    },
    steps: (N * r * p) / 200,
    isFrom: password => equal(compute(derive, password), key),
  }
}

/** Firebase encrypts a key of its project by what scrypt derives. */
function firebase({ n, r, p, ss, sk, salt, key }: Parts): StoredHash {
  const salts = Buffer.concat([base64(salt), base64(ss)])
  const signer = base64(sk)
  const encrypt = (derive: Derive, password: string) =>
    createCipheriv('aes-256-ctr', derive(password, 32), Buffer.alloc(16)).update(signer)
  return scrypt([2 ** Number(n), r, p], salts, base64(key), [signer.length], 'scrypt of Firebase', encrypt)
}

function argon2({ type, m, t, p, ...texts }: Parts): StoredHash {
  const [memory = 0, passes = 0, parallelism = 0] = [m, t, p].map(Number)
  const [nonce, key] = [unpadded(texts.salt), unpadded(texts.key)]
  return {
    name: 'argon2',
    parameters: { m: memory, t: passes, p: parallelism },
    bounded: {
      'm (KiB)': memory,
      'm·t (KiB)': memory * passes,
      p: parallelism,
      ...inBounds(nonce, key),
    },
    steps: (memory * passes) / 72,
    isFrom(message) {
      // Not imported: Node has it since 24.7, and may be built without it.
      const { argon2Sync } = process.getBuiltinModule('node:crypto')
      return equal(
        argon2Sync(type as Argon2Algorithm, { message, nonce, parallelism, tagLength: key.length, memory, passes }),
        key,
      )
    },
  }
}

const phpassDigits = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Writes bytes as phpass does: three bytes are four digits, the lowest bits first. */
function toPhpassDigits(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const three = bytes.subarray(at, at + 3)
    for (let digit = 0; digit <= three.length; digit++) {
      text += phpassDigits[(three.readUIntLE(0, three.length) >> (6 * digit)) & 63]
    }
  }
  return text
}

/** @param perStep rounds that take as long as a step of bcrypt */
function phpass(digest: 'md5' | 'sha512', bound: keyof Bounded, perStep: number, { n, salt, key }: Parts): StoredHash {
  const power = phpassDigits.indexOf(n)
  return {
    name: `phpass-${digest}`,
    parameters: { rounds: 2 ** power },
    bounded: { [bound]: power },
    steps: 2 ** power / perStep,
    isFrom(password) {
      const hash = (data: string | Buffer) => createHash(digest).update(data).update(password).digest()
      let state = hash(salt)
      for (let round = 0; round < 2 ** power; round++) state = hash(state)
      return equal(utf8(toPhpassDigits(state).slice(0, key.length)), utf8(key))
    },
  }
}

/** A pattern of a whole text. */
const whole = (strings: TemplateStringsArray, ...parts: string[]): RegExp =>
  new RegExp(`^${String.raw(strings, ...parts)}$`)

const saltText = '(?<salt>[!-#%-~]+)'
const hexKey = '(?<key>[0-9a-f]+)'
const saltAndKey = String.raw`\$(?<salt>[A-Za-z0-9+/]+)\$(?<key>[A-Za-z0-9+/]+)`
const paddedSaltAndKey = String.raw`\$(?<salt>[A-Za-z0-9+/]+={0,2})\$(?<key>[A-Za-z0-9+/]+={0,2})`
const bcryptText = String.raw`(?<cost>\d\d)\$(?<salt>[./A-Za-z0-9]{22})(?<digest>[./A-Za-z0-9]{31})`
const phpassText = '(?<n>[./A-Za-z0-9])(?<salt>[./A-Za-z0-9]{8})'

const sha256 = (password: string) => createHash('sha256').update(password)

/** A row's pattern fits whole texts, and no text fits two. The build leaves `written` and `by` out of functions. */
export const otherForms: readonly Form[] = [
  {
    written: '$2a$…, $2b$…, $2y$…; bcrypt$$2b$…; {bcrypt}$2a$…',
    by: "passlib, PHP, Go, pgcrypto's `crypt`, Supabase, Auth0; Django; Spring",
    pattern: whole`(?:bcrypt\$|\{bcrypt\})?\$2[aby]\$${bcryptText}`,
    read: parts => ({
      ...bcryptOver(password => password, 'bcrypt', parts),
      // It repeats the password with a closing NUL to 72 bytes, and longer passwords may differ after that.
      isOnlyFrom: password => Buffer.byteLength(password) < 72,
    }),
  },
  {
    written: 'bcrypt_sha256$$2b$…',
    by: 'Django',
    pattern: whole`bcrypt_sha256\$\$2[aby]\$${bcryptText}`,
    read: parts => bcryptOver(password => sha256(password).digest('hex'), 'bcrypt over SHA-256', parts),
  },
  {
    written: '$bcrypt-sha256$2a,…, $bcrypt-sha256$2b,…',
    by: 'passlib before 1.7.3',
    pattern: /^\$bcrypt-sha256\$2[ab],(?<cost>\d{1,2})\$(?<salt>[./A-Za-z0-9]{22})\$(?<digest>[./A-Za-z0-9]{31})$/,
    read: parts => bcryptOver(password => sha256(password).digest('base64'), 'bcrypt over SHA-256', parts),
  },
  {
    written: '$wp$2y$…',
    by: 'WordPress since 6.8',
    pattern: whole`\$wp\$2y\$${bcryptText}`,
    read: parts => bcryptOver(wordPressDigest, 'bcrypt over HMAC-SHA-384', parts),
  },
  {
    written: 'pbkdf2_sha256$…, pbkdf2_sha1$…',
    by: 'Django',
    pattern: whole`pbkdf2_(?<digest>sha1|sha256)\$(?<rounds>\d+)\$${saltText}\$(?<key>[A-Za-z0-9+/]+=)`,
    read: ({ digest, rounds, salt, key }) => pbkdf2(digest as Digest, rounds, utf8(salt), base64(key)),
  },
  {
    written: '$pbkdf2$…, $pbkdf2-sha256$…, $pbkdf2-sha512$…',
    by: 'passlib, Phoenix, Keycloak by its recipe',
    pattern: whole`\$pbkdf2(?:-(?<digest>sha256|sha512))?\$(?<rounds>\d+)\$(?<salt>[./+A-Za-z0-9]+)\$(?<key>[./+A-Za-z0-9]+)`,
    // Keycloak and Phoenix derive 64 bytes of any digest.
    read: ({ digest = 'sha1', rounds, salt, key }) =>
      pbkdf2(digest as Digest, rounds, unpadded(salt), unpadded(key), [digests[digest as Digest].size, 64]),
  },
  {
    written: 'pbkdf2:sha256:…, pbkdf2:sha1:…, pbkdf2:sha512:…',
    by: 'Werkzeug',
    pattern: whole`pbkdf2:(?<digest>sha1|sha256|sha512):(?<rounds>\d+)\$${saltText}\$${hexKey}`,
    read: ({ digest, rounds, salt, key }) => pbkdf2(digest as Digest, rounds, utf8(salt), hex(key)),
  },
  {
    written: 'AQAAAA… in base64',
    by: 'ASP.NET Identity since version 3',
    pattern: /^(?<key>AQAAAA[AEI][A-Za-z0-9+/]+={0,2})$/,
    read: ({ key }) => identity3(base64(key)),
  },
  {
    written: '49 bytes in base64, of which the first is 0',
    by: 'ASP.NET Identity 2',
    pattern: /^(?<key>A[A-P][A-Za-z0-9+/]{64}==)$/,
    read: ({ key }) => pbkdf2('sha1', 1_000, base64(key).subarray(1, 17), base64(key).subarray(17), [32]),
  },
  {
    written: '$scrypt$ln=…',
    by: 'passlib',
    pattern: whole`\$scrypt\$ln=(?<n>\d+),r=(?<r>\d+),p=(?<p>\d+)${saltAndKey}`,
    read: ({ n, r, p, salt, key }) => scrypt([2 ** Number(n), r, p], unpadded(salt), unpadded(key), [32, 64]),
  },
  {
    written: 'scrypt$…',
    by: 'Django',
    pattern: whole`scrypt\$(?<N>\d+)\$${saltText}\$(?<r>\d+)\$(?<p>\d+)\$(?<key>[A-Za-z0-9+/]+==)`,
    read: ({ N, r, p, salt, key }) => scrypt([N, r, p], utf8(salt), base64(key)),
  },
  {
    written: 'scrypt:…',
    by: 'Werkzeug',
    pattern: whole`scrypt:(?<N>\d+):(?<r>\d+):(?<p>\d+)\$${saltText}\$${hexKey}`,
    read: ({ N, r, p, salt, key }) => scrypt([N, r, p], utf8(salt), hex(key)),
  },
  {
    written: '32 and 128 hexadecimal digits around a colon',
    by: 'Better Auth',
    pattern: /^(?<salt>[0-9a-f]{32}):(?<key>[0-9a-f]{128})$/,
    read: ({ salt, key }) => ({
      ...scrypt([2 ** 14, 16, 1], utf8(salt), hex(key), [64], 'scrypt of Better Auth', (derive, password) =>
        derive(password.normalize('NFKC')),
      ),
      isOnlyFrom: password => password === password.normalize('NFKC'),
    }),
  },
  {
    written: '$fbscrypt$v=1,…',
    by: 'Firebase, as Supabase writes it, with the parameters of the project',
    pattern: whole`\$fbscrypt\$v=1,n=(?<n>\d+),r=(?<r>\d+),p=(?<p>\d+),ss=(?<ss>[A-Za-z0-9+/]*={0,2}),sk=(?<sk>[A-Za-z0-9+/]+={0,2})${paddedSaltAndKey}`,
    read: firebase,
  },
  {
    written: '$argon2id$v=19$…, $argon2i$v=19$…, $argon2d$v=19$…; argon2$argon2id$…',
    by: 'argon2-cffi, FastAPI-Users since 13, pwdlib, Keycloak by its recipe; Django',
    pattern: whole`(?:argon2)?\$(?<type>argon2(?:id|i|d))\$v=19\$m=(?<m>\d+),t=(?<t>\d+),p=(?<p>\d+)${saltAndKey}`,
    read: argon2,
  },
  {
    written: '$P$…, $H$…',
    by: 'WordPress before 6.8; phpBB',
    pattern: whole`\$[PH]\$${phpassText}(?<key>[./A-Za-z0-9]{22})`,
    read: parts => phpass('md5', 'n (2ⁿ rounds)', 20, parts),
  },
  {
    written: '$S$…, 55 long',
    by: 'Drupal 7',
    pattern: whole`\$S\$${phpassText}(?<key>[./A-Za-z0-9]{43})`,
    read: parts => phpass('sha512', 'n (2ⁿ rounds of SHA-512)', 29, parts),
  },
]

function wordPressDigest(password: string): string {
  return createHmac('sha384', 'wp-sha384').update(password).digest('base64')
}

/** Reads a stored hash of another form than the service's own, within its bounds or not. @returns null for any other text */
export function readOtherHash(hash: string): StoredHash | null {
  for (const form of otherForms) {
    const read = readAs(form, hash)
    if (read !== null) return read
  }
  return null
}
