import { get, type IncomingMessage } from 'node:http'
import { get as getByTls } from 'node:https'

/** Whether the system answers, for the HEALTHCHECK of the image, which has no curl. The key set needs the signing key and a function. */

const { PORT = '3000', TLS_CERT = '' } = process.env

const path = `127.0.0.1:${PORT}/auth/.well-known/jwks.json`
const answered = ({ statusCode }: IncomingMessage) => process.exit(statusCode === 200 ? 0 : 1)
// The certificate is for another host, and nothing is sent that it would protect.
const request = TLS_CERT.trim()
  ? getByTls(`https://${path}`, { rejectUnauthorized: false }, answered)
  : get(`http://${path}`, answered)
request.on('error', () => process.exit(1))
