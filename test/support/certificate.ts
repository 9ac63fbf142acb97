import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const guide = readFileSync(join(import.meta.dirname, '../../docs/local.md'), 'utf8')
const [line = ''] = /^openssl req .+$/m.exec(guide) ?? []

/**
 * Makes a certificate for localhost, and its key, by the guide's line.
 *
 * @param change replaces a part of the line
 */
export function makeCertificate(folder: string, change: [from: string | RegExp, to: string] = ['', '']) {
  execFileSync('bash', ['-euc', line.replace(...change)], { cwd: folder, stdio: 'ignore' })
  const [certFile, keyFile] = ['cert.pem', 'key.pem'].map(name => join(folder, name)) as [string, string]
  return { certFile, keyFile, file: certFile, cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
}
