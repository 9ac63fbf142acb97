import { afterAll, expect, test, vi } from 'vitest'
import { providerExchange } from '../../../shared/api/live.ts'
import { serve } from '../../support/web-server.ts'

/** What KMS answers, by the name of the error. */
let error = ''
const kms = await serve((_, response) => {
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify({ __type: error }))
})
const environment = {
  ...{ AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', AWS_ENDPOINT_URL_KMS: kms.url },
  PROVIDER_KEY_ID: 'the-key',
}
for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
afterAll(async () => {
  vi.unstubAllEnvs()
  await kms.close()
})

const decrypt = (answered: string) => {
  error = answered
  return providerExchange().providerSecrets.decrypt('google', new Uint8Array(96))
}

// AWS KMS, "Decrypt": its errors.
test.each([
  'InvalidCiphertextException',
  'IncorrectKeyException',
  'DisabledException',
  'KMSInvalidStateException',
  'NotFoundException',
  'AccessDeniedException',
])('a secret at a provider that KMS answers by %s is the operator’s to mend', async name => {
  expect(await decrypt(name)).toBeNull()
})

test.each(['KMSInternalException', 'DependencyTimeoutException', 'ThrottlingException'])(
  'one that KMS answers by %s may be decrypted a moment later',
  async name => {
    await expect(decrypt(name)).rejects.toMatchObject({ code: 'unavailable' })
  },
)
