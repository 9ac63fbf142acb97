import type { Assertion, NewCredential } from '../../../../accounts/passkey/shapes.ts'

/** Registrations and assertions of other implementations, one of each algorithm, with fixed bytes. */

/** Bytes in hexadecimal, but for client data. */
interface Vector {
  name: string
  registration: { clientData: string; attestationObject: string }
  assertion: { clientData: string; authenticatorData: string; signature: string }
}

const base64url = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url')

const clientData = (type: string, challenge: string, more = ''): string =>
  `{"type":"webauthn.${type}","challenge":"${base64url(challenge)}","origin":"https://example.org","crossOrigin":false${more}}`

const extraData = (random: string): string =>
  `,"extraData":"clientDataJSON may be extended with additional fields in the future, such as this: ${base64url(random)}"`

const rpIdHash = 'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b5'

/** Of two primes of Mersenne: 3,482 bits. */
const modulus = ((2n ** 1279n - 1n) * (2n ** 2203n - 1n)).toString(16).padStart(872, '0')

/** The certificates of the authenticator's maker begin with these names: issuer, dates, owner, and kind of key. */
const certificateNames =
  '300a06082a8648ce3d0403023062311e301c06035504030c15576562417574686e207465737420766563746f7273310c300a060355040a0c0357334331253023060355040b0c1c41757468656e74696361746f72204174746573746174696f6e204341310b30090603550406130241413020170d3234303130313030303030305a180f33303234303130313030303030305a305f311e301c06035504030c15576562417574686e207465737420766563746f7273310c300a060355040a0c0357334331223020060355040b0c1941757468656e74696361746f72204174746573746174696f6e310b30090603550406130241413059301306072a8648ce3d020106082a8648ce3d030107034200'
const certificateExtensions =
  'a360305e300c0603551d130101ff04023000300e0603551d0f0101ff040403020780301d0603551d0e04160414'
const certificateIssuer =
  '301f0603551d2304183016801445aff715b0dd786741fee996ebc16547a3931b1e300a06082a8648ce3d04030203490030460221'

const vectors: readonly Vector[] = [
  {
    name: 'ES256',
    registration: {
      clientData: clientData(
        'create',
        '7869c2b772d4b58eba9378cf8f29e26cf935aa77df0da89fa99c0bdc0a76f7e5',
        extraData('53d8535ef284d944643276ffd3160756'),
      ),
      attestationObject: `a363666d74667061636b65646761747453746d74a263616c672663736967584630440220067a20754ab925005dbf378097c92120031581c73228d1fb4f5b881bcd7da98302207fc7b147558c7c0eba3af18bd9d121fa3d3a26d17fe3f220272178f473b6006d68617574684461746158a4${rpIdHash}5d00000000df850e09db6afbdfab51697791506cfc0020455ef34e2043a87db3d4afeb39bbcb6cc32df9347c789a865ecdca129cbef58ca5010203262001215820eb151c8176b225cc651559fecf07af450fd85802046656b34c18f6cf193843c5225820927b8aa427a2be1b8834d233a2d34f61f13bfd44119c325d5896e183fee484f2`,
    },
    assertion: {
      clientData: clientData(
        'get',
        '4478a10b1352348dd160c1353b0d469b5db19eb91c27f7dfa6fed39fe26af20b',
        extraData('8136f9debcfa121496a265c6ce2982d5'),
      ),
      authenticatorData: `${rpIdHash}0900000000`,
      signature:
        '304402203310b9431903c401f1be2bdc8d23a4007682dbbddcf846994947b7f465daf84002204e94dd00047b316061b3b99772b7efd95994a83ef584b3b6b825ea3550251b66',
    },
  },
  {
    name: 'Ed25519',
    registration: {
      clientData: clientData(
        'create',
        'a8abf9dabdc6b0df63466b39bda9e8a34a34e185337a59f1c579990676d3b3bd',
        extraData('07f0d3e60ed90fffbd3932d85f922f11'),
      ),
      attestationObject: `a363666d74667061636b65646761747453746d74a363616c67266373696758483046022100d83f60bd80269537583218858aefb03ac57d45fa06e42feaae332d187f62da9f022100a02bd3cb6f7e1d283c93bad1f3f4b5a4c0494463da7fdbf256949116754d1f17637835638159022730820223308201c8a003020102021100b2cfc9ea33c8643b0e1a760463eaf164${certificateNames}04dd2b7a564b73b8c0b81c4c62e521925c4d1198ec9f583dbf1eebe364b65cd9c29a9bdf346aaa81fb6b9507e5249a52fdaf8e39e26b0b7dc45992a7e233b70f70${certificateExtensions}0ae27546bc7eccb1b4b597bd354f0c0b1f1f8f8e${certificateIssuer}00a0d434ecb5fc3bfd7da5f41904517ad2836249f561bd834ba7a438a8ab7a4ce8022100fac845bb7a02513b58e9f319654dbe49b0f02b95835bac568c71f8a18cdde9ab6861757468446174615881${rpIdHash}4100000000d5aa33581e8ca478e20fe713f5d32ff20020ce9f840ed96599580cd140fbc7bb3230633f50f61041aff73308ae71caa8a2bda401010327200621582044e06ddd331c36a8dc667bab52bcae63486c916aa5e339e6acebaa84934bf832`,
    },
    assertion: {
      clientData: clientData('get', '895957e01c633a698348a2d8a31a54b7db27e8c1c43b2080d79ae2190267bfd2'),
      authenticatorData: `${rpIdHash}0100000000`,
      signature:
        'f5c59c7e46c34f6f8cc197101ddf9934fa2595f68eb1913a637e8419eb9ba4cfdfc48f85393bc0d40b011f0d6fecb097d6607525713223a0dc0d453993dae00b',
    },
  },
  {
    name: 'RS256',
    registration: {
      clientData: clientData('create', 'bea8f0770009bd57f2c0df6fea9f743a27e4b61bbe923c862c7aad7a9fc8e4a6'),
      attestationObject: `a363666d74667061636b65646761747453746d74a363616c672663736967584730450221008b8c5c6ea8c142c032e0be69e1353d44461c5c9109941cdda951b976eb95b6b302204d52f406c19e254b3ff9589bd18070fb055ac8db12fdd0a6734bea9d7168e900637835638159022630820222308201c7a00302010202101f6fb7a5ece81b45896b983a995da5f3${certificateNames}04b7b36b7542a11120b443c794d0c99fdc25a06b76586413d81e086163ef6fe147a557afc34e2861d9057d6d465d4705a0310550bdeeb5f35ee35b9425ab859981${certificateExtensions}fb37b647bccfb9e54d989eaaacc1633868703fb3${certificateIssuer}00b86bc129d92afca7d9869a39f70f139a305b4073a39eb654d81424bed5757d91022100cf9f7c60cab7c4a7d3e7f0020f281a93d4fd0a9f95121b989f56932a68885fba68617574684461746159021b${rpIdHash}5d00000000428f8878298b9862a36ad8c7527bfef20020992a18acc83f67533600c1138a4b4c4bd236de13629cf025ed17cb00b00b74dfa4010303390100205901b4${modulus}2143010001`,
    },
    assertion: {
      clientData: clientData('get', '295f59f5fa8fe62c5aca9e27626c78c8da376ae6d8cd2dd29aebad601e1bc4c5'),
      authenticatorData: `${rpIdHash}1900000000`,
      signature:
        '01063d52d7c39b4d432fc7063c5d93e582bdcb16889cd71f888d67d880ea730a428498d3bc8e1ee11f2b1ecbe6c292b118c55ffaaddefa8cad0a54dd137c51f1eec673f1bb6c4d1789d6826a222b22d0f585fc901fdc933212e579d199b89d672aa44891333e6a1355536025e82b25590256c3538229b55737083b2f6b9377e49e2472f11952f79fdd0da180b5ffd901b4049a8f081bb40711bef76c62aed943571f2d0575304cb549d68d8892f95086a30f93716aee818f8dc06e96c0d5e0ed4cfa9fd8773d90464b68cf140f7986666ff9c9e3302acd0535d60d769f465e2ab57ef8aabc89fccfef7ba32a64154a8b3d26be2298f470b8cc5377dbe3dfd4b0b45f8f01e63bde6cfc76b62771f9b70aa27cf40152cad93aa5acd784fd4b90f676e2ea828d0bf2400aebbaae4153e5838f537f88b6228346782a93a899be66ec77de45b3efcf311da6321c92e6b0cd11bfe653bf3e98cee8e341f02d67dbb6f9c98d9e8178090cfb5b70fbc6d541599ac794ae2f1d4de1286ec8de8c2daf7b1d15c8438e90d924df5c19045220a4c8438c1b979bbe016cf3d0eeec23c3999d4882cc645b776de930756612cdc6dd398160ff02a6',
    },
  },
]

/**
 * The examples "packed-self.ES256", "packed.EdDSA" and "packed.RS256" of WebAuthn Level 3 §16, for RP ID example.org,
 * with attestation statements. Two registrations have the user verified flag, and no assertion does.
 */
export const standardVectors = vectors.map(({ name, registration, assertion }) => {
  const { attestationObject } = registration
  const data = attestationObject.slice(attestationObject.indexOf(rpIdHash))
  // After hash, flags, count, model, and the length of 32 bytes.
  const id = base64url(data.slice(2 * 55, 2 * 87))
  const clientDataJSON = (text: string) => Buffer.from(text).toString('base64url')
  return {
    name,
    isVerified: name !== 'Ed25519',
    registration: {
      id,
      rawId: id,
      response: {
        clientDataJSON: clientDataJSON(registration.clientData),
        attestationObject: base64url(attestationObject),
        transports: null,
      },
    } satisfies NewCredential,
    assertion: {
      id,
      rawId: id,
      response: {
        clientDataJSON: clientDataJSON(assertion.clientData),
        authenticatorData: base64url(assertion.authenticatorData),
        signature: base64url(assertion.signature),
        userHandle: null,
      },
    } satisfies Assertion,
  }
})

/** Results of `toJSON` with Chromium 156's virtual authenticator, at http://localhost:4970, without repetitions. */
export const chromiumRecordings = [
  {
    name: 'ES256',
    algorithm: -7,
    id: 'FmdpFi_NfkEty_qPH0xvCcS-0aTFAI9EYCFa5P8T80U',
    userHandle: 'QEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQA',
    publicKey:
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE60r1pKlMM5_8-Apn2SHGl-saslq3_sex1xvMebOIVrNC-Q3rQDZi-juM-cBrmQmAgHzVrryKVkMuH0Vg1JC5bg',
    registration: {
      clientDataJSON:
        'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiSUNBZ0lDQWdJQ0FnSUNBZ0lDQWdJQ0FnSUNBZ0lDQWdJQ0FnSUNBZ0lDQSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6NDk3MCIsImNyb3NzT3JpZ2luIjpmYWxzZX0',
      attestationObject:
        'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NFAAAAAQECAwQFBgcIAQIDBAUGBwgAIBZnaRYvzX5BLcv6jx9MbwnEvtGkxQCPRGAhWuT_E_NFpQECAyYgASFYIOtK9aSpTDOf_PgKZ9khxpfrGrJat_7HsdcbzHmziFazIlggQvkN60A2Yvo7jPnAa5kJgIB81a68ilZDLh9FYNSQuW4',
    },
    assertion: {
      clientDataJSON:
        'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiSUNBZ0lDQWdJQ0FnSUNBZ0lDQWdJQ0FnSUNBZ0lDQWdJQ0FnSUNBZ0lDQSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6NDk3MCIsImNyb3NzT3JpZ2luIjpmYWxzZX0',
      authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAg',
      signature: 'MEQCIBy-7adH32kRp8P4Q3g6o_4AempD1XBwl2t5f1gJ8z4UAiA8sVuUPbli__aIu0nUD416C0ReVYGtdOXLqo2CVAb1eQ',
    },
  },
  {
    name: 'Ed25519',
    algorithm: -8,
    id: 'yUrUZUEHzHC-fKIOuAYKgAB2b9rCOJ4rDXJoqMR-aJ4',
    userHandle: 'QEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQA',
    publicKey: 'MCowBQYDK2VwAyEABjwVLtNIT5SQ8ywJmDx7ITKE2fFoy-P1kwq7hxcU_lM',
    registration: {
      clientDataJSON:
        'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiSUNBZ0lDQWdJQ0FnSUNBZ0lDQWdJQ0FnSUNBZ0lDQWdJQ0FnSUNBZ0lDQSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6NDk3MCIsImNyb3NzT3JpZ2luIjpmYWxzZSwib3RoZXJfa2V5c19jYW5fYmVfYWRkZWRfaGVyZSI6ImRvIG5vdCBjb21wYXJlIGNsaWVudERhdGFKU09OIGFnYWluc3QgYSB0ZW1wbGF0ZS4gU2VlIGh0dHBzOi8vZ29vLmdsL3lhYlBleCJ9',
      attestationObject:
        'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViBSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NdAAAAAQECAwQFBgcIAQIDBAUGBwgAIMlK1GVBB8xwvnyiDrgGCoAAdm_awjieKw1yaKjEfmiepAEBAycgBiFYIAY8FS7TSE-UkPMsCZg8eyEyhNnxaMvj9ZMKu4cXFP5T',
    },
    assertion: {
      clientDataJSON:
        'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiSUNBZ0lDQWdJQ0FnSUNBZ0lDQWdJQ0FnSUNBZ0lDQWdJQ0FnSUNBZ0lDQSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6NDk3MCIsImNyb3NzT3JpZ2luIjpmYWxzZX0',
      authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MdAAAAAg',
      signature: 'ShIK0ovXeY_yLVWAKYR4W0l3bKdanbr21aJr9ygSpxV51-f6T-CHEwpLtCllDbVgNnZdvDA-rhZOKCys5vcYCQ',
    },
  },
  {
    name: 'RS256',
    algorithm: -257,
    id: 'QEY2dAByPJ-_qFYWUrX-4N5G6F-hGo6ULpMbE-sNwLo',
    userHandle: 'QEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQA',
    publicKey:
      'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxUwbvYzGvVaPj-Z23nrqFwYH9AIEMTZ8TFruP_DhXxL47yT-16L4DrdORIWXOKdfF1a2VZfTI_52hJbw72FcNfuTyLE6OrADbnYIMd7wtNa-uJb0d26akPfJw5lFqyNgRZU-ddW3BCwQU_q4Al0qkSbyPZrXJStz2U5AieKo0sav3KkgHf16AN1Vcuq8KPu7YgkONAAw93RuRfl5dHbhE9xfRcKHJRQ-DDYQ30slcKMvnIC5_ACTZMFNGwuthIh49wREc3hfv1cI0wkCpanNU9ZR-qgIUZXyXJiHwWMaR88LI9CfLe0iDm6WaDTGobvye9T5muZM4z82gFKMd0xdSwIDAQAB',
    registration: {
      clientDataJSON:
        'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiSUNBZ0lDQWdJQ0FnSUNBZ0lDQWdJQ0FnSUNBZ0lDQWdJQ0FnSUNBZ0lDQSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6NDk3MCIsImNyb3NzT3JpZ2luIjpmYWxzZSwib3RoZXJfa2V5c19jYW5fYmVfYWRkZWRfaGVyZSI6ImRvIG5vdCBjb21wYXJlIGNsaWVudERhdGFKU09OIGFnYWluc3QgYSB0ZW1wbGF0ZS4gU2VlIGh0dHBzOi8vZ29vLmdsL3lhYlBleCJ9',
      attestationObject:
        'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVkBZ0mWDeWIDoxodDQXD2R2YFuP5K65ooYyx5lc87qDHZdjRQAAAAEBAgMEBQYHCAECAwQFBgcIACBARjZ0AHI8n7-oVhZStf7g3kboX6EajpQukxsT6w3AuqQBAwM5AQAgWQEAxUwbvYzGvVaPj-Z23nrqFwYH9AIEMTZ8TFruP_DhXxL47yT-16L4DrdORIWXOKdfF1a2VZfTI_52hJbw72FcNfuTyLE6OrADbnYIMd7wtNa-uJb0d26akPfJw5lFqyNgRZU-ddW3BCwQU_q4Al0qkSbyPZrXJStz2U5AieKo0sav3KkgHf16AN1Vcuq8KPu7YgkONAAw93RuRfl5dHbhE9xfRcKHJRQ-DDYQ30slcKMvnIC5_ACTZMFNGwuthIh49wREc3hfv1cI0wkCpanNU9ZR-qgIUZXyXJiHwWMaR88LI9CfLe0iDm6WaDTGobvye9T5muZM4z82gFKMd0xdSyFDAQAB',
    },
    assertion: {
      clientDataJSON:
        'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiSUNBZ0lDQWdJQ0FnSUNBZ0lDQWdJQ0FnSUNBZ0lDQWdJQ0FnSUNBZ0lDQSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6NDk3MCIsImNyb3NzT3JpZ2luIjpmYWxzZX0',
      authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAg',
      signature:
        'wxYkulL-fpBwjiXeScFmtyzJ3ZxQYF4lGWqUxORVJG7wh64Wp6i06PgM0z9bGhczihsY9yBNDelnesmYm6YDEjXQbEu_C9gi1laaXZUYbvTekxvl9ys-bq8Jxg0m_cnIODEQ91cvAjbdBXtzQ7XdyfW407cZsD9Yu45_GYktrmVQtmqArP0037WWd1mfCHR2Z1SZaPqp64vu2xYtpep_LRUCFhxPNTnOmlrtoaJuP9vb87GEXZKM4i0txM5y5iIyKzX5_TB4Nh-_f2acB27j5OZ-9cyRudDtxP9a1yN5j28z_HvxiMlX6ASR7DZ2iS7IM83ul-gelmr9h2H1QSe8xw',
    },
  },
] as const
