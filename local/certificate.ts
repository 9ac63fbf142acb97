import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { unreadable } from '../infra/settings/files.ts'

/** What the API speaks TLS with. */
export interface Certificate {
  /** The certificate's path. */
  file: string
  /** In PEM, the certificates that lead to it after it. */
  cert: string
  /** In PEM. */
  key: string
}

/**
 * Reads a certificate and its key from two files.
 *
 * @returns the complaint, which begins with the setting and its file, if a file is not as TLS needs it
 */
export function readCertificate(certFile: string, keyFile: string): Certificate | string {
  const cert = readPem('TLS_CERT', certFile)
  const key = readPem('TLS_KEY', keyFile)
  if ('wrong' in cert) return cert.wrong
  if ('wrong' in key) return key.wrong
  const first = attempt(() => new X509Certificate(cert.text))
  if (first === null) return `TLS_CERT ${certFile}: it must begin with a certificate in PEM`
  const privateKey = attempt(() => createPrivateKey(key.text))
  if (privateKey === null) return `TLS_KEY ${keyFile}: it must be a private key in PEM, without a passphrase`
  if (!first.checkPrivateKey(privateKey)) return `TLS_KEY ${keyFile}: it is not the key of TLS_CERT ${certFile}`
  const pair = { cert: cert.text, key: key.text }
  try {
    createSecureContext(pair)
  } catch (error) {
    return `TLS_CERT ${certFile}: ${(error as Error).message}`
  }
  return { file: certFile, ...pair }
}

function readPem(name: string, file: string): { text: string } | { wrong: string } {
  try {
    return { text: readFileSync(file, 'utf8') }
  } catch (error) {
    return { wrong: `${name} ${file}: ${unreadable(error)}` }
  }
}

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** Why clients at an address refuse a certificate, even if they trust it. */
export function certificateWarnings({ file, cert }: Pick<Certificate, 'file' | 'cert'>, address: string, now: Date) {
  const certificate = new X509Certificate(cert)
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '')
  // Clients ignore the common name (RFC 9525 §2).
  const fits = isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host, { subject: 'never' })
  const isInForce = certificate.validFromDate <= now && now <= certificate.validToDate
  return [
    ...(fits ? [] : [`TLS_CERT ${file} is not for ${host}, so clients of ${address} refuse it`]),
    ...(isInForce
      ? []
      : [`TLS_CERT ${file} is in force from ${certificate.validFrom} to ${certificate.validTo} alone`]),
  ]
}
