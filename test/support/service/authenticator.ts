import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type CBORType, encodeCBOR } from '@levischuck/tiny-cbor'

/** An authenticator with its browser (WebAuthn Level 3), in software: honest by default, and able to lie in every field. */

export type AlgorithmId = -7 | -8 | -257

interface AuthenticatorOptions {
  rpId?: string
  origin?: string
  algorithm?: AlgorithmId
  /** Its passkeys are synced, and do not count. Otherwise they stay on it, and count. */
  isSynced?: boolean
}

/** The options for an authenticator. It ignores unknown ones. */
interface Creation {
  challenge: string
  rp?: { id?: string }
  user: { id: string }
}
interface Request {
  challenge: string
  rpId?: string
  allowCredentials?: readonly { id: string }[]
}

const flagBits = {
  present: 0x01,
  verified: 0x04,
  backupEligible: 0x08,
  backedUp: 0x10,
  credential: 0x40,
  extensions: 0x80,
} as const
type Flag = keyof typeof flagBits

/** Lies in an answer. Dependent values, such as the signature, are computed from the lie. */
export interface Lies {
  /** Changed or additional members of the client data; undefined leaves one out. */
  clientData?: Record<string, unknown>
  /** The client data as any text or bytes. */
  clientDataJson?: string | Uint8Array
  rpId?: string
  flags?: Partial<Record<Flag, boolean>>
  signCount?: number
  /** In the authenticator data, in place of the passkey's own. */
  credentialId?: Uint8Array
  /** Its length in the authenticator data. */
  credentialIdLength?: number
  coseKey?: (key: Map<number, CBORType>) => CBORType | Uint8Array
  /** CBOR: their flag is set. */
  extensions?: Uint8Array
  authenticatorData?: (bytes: Buffer) => Uint8Array
  attestation?: (object: Map<string, CBORType>) => CBORType | Uint8Array
  /** The signing key. */
  signer?: KeyObject
  signature?: (bytes: Buffer) => Uint8Array
  /** Outside of the authenticator data. */
  id?: string
  rawId?: string
  /** Null or undefined: left out so. */
  userHandle?: string | null | undefined
  transports?: readonly unknown[]
}

export interface HeldPasskey {
  id: Buffer
  userHandle: string
  privateKey: KeyObject
  publicKey: KeyObject
  algorithm: AlgorithmId
  signCount: number
}

const generate: Record<AlgorithmId, () => { publicKey: KeyObject; privateKey: KeyObject }> = {
  [-7]: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  [-8]: () => generateKeyPairSync('ed25519'),
  [-257]: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
}

const hash = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const cbor = (value: CBORType | Uint8Array): Uint8Array => (value instanceof Uint8Array ? value : encodeCBOR(value))

/** A public key in COSE (RFC 9052 §7), its members in the order of CTAP2. */
export function coseOf(key: KeyObject, algorithm: AlgorithmId): Map<number, CBORType> {
  const { x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  const members: Record<AlgorithmId, [number, CBORType][]> = {
    [-7]: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ],
    [-8]: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(x)],
    ],
    [-257]: [
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ],
  }
  return new Map(members[algorithm])
}

export type Authenticator = ReturnType<typeof authenticator>

export function authenticator(options: AuthenticatorOptions = {}, held: HeldPasskey[] = []) {
  const { rpId = 'localhost', origin = 'http://localhost:3000', algorithm = -7, isSynced = true } = options

  const clientDataOf = (type: string, challenge: string, lies: Lies): Buffer => {
    const data = { type, challenge, origin, crossOrigin: false, ...lies.clientData }
    return Buffer.from(lies.clientDataJson ?? JSON.stringify(data))
  }

  function authenticatorDataOf(id: string, passkey: HeldPasskey, credential: Uint8Array[], lies: Lies): Buffer {
    const flags: Record<Flag, boolean> = {
      present: true,
      verified: true,
      backupEligible: isSynced,
      backedUp: isSynced,
      credential: credential.length > 0,
      extensions: lies.extensions !== undefined,
      ...lies.flags,
    }
    const names = Object.keys(flagBits) as Flag[]
    const head = Buffer.alloc(5)
    head.writeUInt8(names.reduce((bits, name) => bits | (flags[name] ? flagBits[name] : 0), 0))
    head.writeUInt32BE(lies.signCount ?? passkey.signCount, 1)
    const data = Buffer.concat([hash(lies.rpId ?? id), head, ...credential, lies.extensions ?? new Uint8Array()])
    return Buffer.from(lies.authenticatorData?.(data) ?? data)
  }

  const answer = (passkey: HeldPasskey, lies: Lies) => {
    const id = lies.id ?? base64url(passkey.id)
    return {
      id,
      rawId: lies.rawId ?? id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
    } as const
  }

  return {
    /** The passkeys that it holds, the newest last. */
    held,

    /** Makes a passkey as requested, and answers like `PublicKeyCredential.toJSON`. */
    create({ challenge, rp, user }: Creation, lies: Lies = {}) {
      const { publicKey, privateKey } = generate[algorithm]()
      const signCount = isSynced ? 0 : 1
      const passkey = { id: randomBytes(32), userHandle: user.id, privateKey, publicKey, algorithm, signCount }
      held.push(passkey)
      const cose = coseOf(publicKey, algorithm)
      const id = lies.credentialId ?? passkey.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(lies.credentialIdLength ?? id.length)
      const credential = [new Uint8Array(16), length, id, cbor(lies.coseKey ? lies.coseKey(cose) : cose)]
      const authData = new Uint8Array(authenticatorDataOf(rp?.id ?? rpId, passkey, credential, lies))
      const object = new Map<string, CBORType>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      return {
        ...answer(passkey, { ...lies, ...(lies.credentialId && !lies.id && { id: base64url(lies.credentialId) }) }),
        response: {
          clientDataJSON: base64url(clientDataOf('webauthn.create', challenge, lies)),
          attestationObject: base64url(cbor(lies.attestation ? lies.attestation(object) : object)),
          transports: (lies.transports ?? ['internal', 'hybrid']) as string[],
        },
      }
    },

    /** Signs with a requested passkey, else with the newest, and answers like `PublicKeyCredential.toJSON`. */
    get({ challenge, rpId: asked = rpId, allowCredentials = [] }: Request, lies: Lies = {}) {
      const isAsked = ({ id }: HeldPasskey) => allowCredentials.some(each => each.id === base64url(id))
      const passkey = held.findLast(isAsked) ?? held.at(-1)
      if (!passkey) throw new Error('the authenticator holds no passkey')
      if (!isSynced) passkey.signCount += 1
      const clientData = clientDataOf('webauthn.get', challenge, lies)
      const authenticatorData = authenticatorDataOf(asked, passkey, [], lies)
      const signed = Buffer.concat([authenticatorData, hash(clientData)])
      const digest = passkey.algorithm === -8 ? null : 'sha256'
      const signature = sign(digest, signed, lies.signer ?? passkey.privateKey)
      return {
        ...answer(passkey, lies),
        response: {
          clientDataJSON: base64url(clientData),
          authenticatorData: base64url(authenticatorData),
          signature: base64url(lies.signature?.(signature) ?? signature),
          userHandle: 'userHandle' in lies ? lies.userHandle : passkey.userHandle,
        },
      }
    },

    /** A copy with the same passkeys and their present counts: a thief's. */
    copy: () =>
      authenticator(
        options,
        held.map(passkey => ({ ...passkey })),
      ),
  }
}
