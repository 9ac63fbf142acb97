import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { certificateWarnings, readCertificate } from '../../local/certificate.ts'
import { readAllSettings } from '../../local/local-settings.ts'
import { makeCertificate } from '../support/certificate.ts'

const folder = mkdtempSync(join(tmpdir(), 'certificate-'))
afterAll(() => rmSync(folder, { recursive: true }))

const at = (name: string) => {
  mkdirSync(join(folder, name))
  return join(folder, name)
}
const good = makeCertificate(at('good'))
const other = makeCertificate(at('other'))

/** A file beside the certificate. */
function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

test('the guide’s certificate and key are read, from the folder in which one stands', () => {
  const { file, cert, key } = good
  const certificate = { file, cert, key }
  expect(readCertificate(good.certFile, good.keyFile)).toEqual(certificate)
  const env = { INIT_CWD: join(folder, 'good'), TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem' }
  expect(readAllSettings(env)).toMatchObject({ certificate, BASE_URL: '' })
  expect(readAllSettings({}).certificate).toBeNull()
})

test('a key may follow its parameters, and a certificate its chain', () => {
  const withParameters = makeCertificate(at('curve'), ['rsa:2048', 'ec:<(openssl ecparam -name prime256v1)'])
  const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'
  const sec1 = createPrivateKey(withParameters.key).export({ format: 'pem', type: 'sec1' })
  const chain = file('chain.pem', withParameters.cert + other.cert)
  expect(readCertificate(chain, file('curve.pem', parameters + sec1))).toMatchObject({ file: chain })
})

describe('each bad file is refused in a sentence that names its setting:', () => {
  const { certFile, keyFile } = good
  const none = join(folder, 'none.pem')
  const encrypted = createPrivateKey(good.key).export({
    ...{ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'correct horse' },
  } as const)
  const noCertificate = 'it must begin with a certificate in PEM'
  const noKey = 'it must be a private key in PEM, without a passphrase'
  const text = file('text.pem', 'hello')
  const der = file('der.pem', new X509Certificate(good.cert).raw)
  const locked = file('locked.pem', encrypted)
  const broken = file('broken.pem', `${good.cert}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`)

  test.each<[string, string, string, string]>([
    ['no certificate there', none, keyFile, `TLS_CERT ${none}: there is no such file`],
    ['no key there', certFile, none, `TLS_KEY ${none}: there is no such file`],
    ['a folder', folder, keyFile, `TLS_CERT ${folder}: is a directory, not a file`],
    ['another text', text, keyFile, `TLS_CERT ${text}: ${noCertificate}`],
    ['a certificate in DER', der, keyFile, `TLS_CERT ${der}: ${noCertificate}`],
    ['the two interchanged', keyFile, certFile, `TLS_CERT ${keyFile}: ${noCertificate}`],
    ['no key', certFile, text, `TLS_KEY ${text}: ${noKey}`],
    ['a certificate for a key', certFile, certFile, `TLS_KEY ${certFile}: ${noKey}`],
    ['a key with a passphrase', certFile, locked, `TLS_KEY ${locked}: ${noKey}`],
    ['another’s key', certFile, other.keyFile, `TLS_KEY ${other.keyFile}: it is not the key of TLS_CERT ${certFile}`],
    ['a broken chain', broken, keyFile, `TLS_CERT ${broken}: `],
  ])('%s', (_, cert, key, line) => {
    expect(readCertificate(cert, key)).toMatch(line)
    expect(() => readAllSettings({ TLS_CERT: cert, TLS_KEY: key })).toThrow(line)
  })

  test.each([
    [{ TLS_CERT: certFile }, `TLS_KEY is not set but must be a path, because TLS_CERT is '${certFile}'`],
    [{ TLS_KEY: keyFile }, `TLS_CERT is not set but must be a path, because TLS_KEY is '${keyFile}'`],
    [
      { TLS_CERT: certFile, TLS_KEY: keyFile, BASE_URL: 'http://localhost:3000' },
      `BASE_URL must be an https address, not 'http://localhost:3000', because TLS_CERT is '${certFile}'`,
    ],
  ])('one without the other, or an http address: %j', (env, line) => {
    expect(() => readAllSettings(env)).toThrow(line)
  })
})

describe('a warning says why clients will refuse it:', () => {
  test.each([
    ['https://localhost', []],
    ['https://localhost:3000', []],
    ['https://127.0.0.1', []],
    ['https://gatehouse:3000', ['is not for gatehouse, so clients of https://gatehouse:3000 refuse it']],
    ['https://[::1]', ['is not for ::1, so clients of https://[::1] refuse it']],
  ])('at %s', (address, expected) => {
    expect(certificateWarnings(good, address, new Date())).toEqual(
      expected.map(line => `TLS_CERT ${good.file} ${line}`),
    )
  })

  test.each(['validFromDate', 'validToDate'] as const)('outside of its time: %s', edge => {
    const at = new X509Certificate(good.cert)[edge].getTime()
    const warningsAt = (time: number) => certificateWarnings(good, 'https://localhost', new Date(time))
    expect(warningsAt(at)).toEqual([])
    expect(warningsAt(edge === 'validFromDate' ? at - 1 : at + 1)).toEqual([
      expect.stringMatching(/^TLS_CERT \S+ is in force from .+ GMT to .+ GMT alone$/),
    ])
  })

  test('with a common name alone', () => {
    const { file, cert } = makeCertificate(at('named'), [/ -addext \S+/, ''])
    expect(certificateWarnings({ file, cert }, 'https://localhost', new Date())).toHaveLength(1)
  })
})
