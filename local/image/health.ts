import { get } from 'node:http'

/** Whether the system answers, for the HEALTHCHECK of the image, which has no curl. The key set needs the signing key and a function. */

const { PORT = '3000' } = process.env

const request = get(`http://127.0.0.1:${PORT}/auth/.well-known/jwks.json`, ({ statusCode }) => {
  process.exit(statusCode === 200 ? 0 : 1)
})
request.on('error', () => process.exit(1))
