import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { refusals } from '../../../local/aws/kms.ts'
import { factorKeyOf, providerKey, publishedKeys, signingKey } from '../../../shared/aws/keys.ts'
import { reasons } from '../../../shared/base/system.ts'
import { reportSlow } from '../../../shared/base/timing.ts'
import { serve } from '../../support/web-server.ts'

/** What KMS answers, by the name of the error. */
let error = ''
const kms = await serve((_, response) => {
  if (vi.isFakeTimers()) vi.advanceTimersByTime(1500)
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify({ __type: error }))
})
const environment = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'key',
  AWS_ENDPOINT_URL_KMS: kms.url,
}
for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
afterAll(async () => {
  vi.unstubAllEnvs()
  await kms.close()
})

const logged: unknown[] = []
const deps = { log: (entry: unknown) => void logged.push(entry) }
beforeEach(() => void logged.splice(0))

const id = () => 'the-key'
const bytes = new Uint8Array(96)
const calls = {
  Sign: () => signingKey(id, deps).sign(bytes),
  GetPublicKey: () => publishedKeys([id()], deps).findById(id()),
  Encrypt: () => factorKeyOf(id, deps).encrypt('ada', bytes),
  Decrypt: () => factorKeyOf(id, deps).decrypt('ada', bytes),
}
const decryptForProvider = () => providerKey(id, deps).decrypt('google', bytes)

describe.each(Object.values(refusals))('a key that KMS refuses by %s', name => {
  beforeEach(() => {
    error = name
  })

  test.each(reasons['key-unusable'])('is unavailable to %s, and logged', async call => {
    await expect(calls[call]()).rejects.toMatchObject({ code: 'unavailable' })
    expect(logged).toEqual([{ event: 'key-unusable', key: id(), reason: call }])
  })

  test('decrypts no secret at a provider, which is the operator’s to mend, and is logged', async () => {
    expect(await decryptForProvider()).toBeNull()
    expect(logged).toEqual([{ event: 'key-unusable', key: id(), reason: 'Decrypt' }])
  })

  test('is not published, and where no other is there is no key set', async () => {
    await expect(publishedKeys([id()], deps).listUsable()).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('is asked for by its own id alone: strangers name any', async () => {
    expect(await publishedKeys([id()], deps).findById('another')).toEqual({ keys: [] })
    expect(logged).toEqual([])
  })
})

test.each(Object.entries({ ...calls, decryptForProvider }))(
  'a slow request says how long KMS took: %s',
  async (_, call) => {
    error = 'ValidationException'
    const said = vi.spyOn(console, 'info').mockImplementation(() => {})
    vi.useFakeTimers({ toFake: ['hrtime'] })
    await reportSlow<unknown>(call).catch(() => {})
    vi.useRealTimers()
    expect(said.mock.calls.splice(0).flat()).toEqual([{ event: 'slow', milliseconds: 1500, KMS: 1500 }])
    said.mockRestore()
  },
)

// AWS KMS, "Decrypt": its errors.
test.each(['InvalidCiphertextException', 'IncorrectKeyException'])(
  'a secret at a provider that KMS answers by %s is the operator’s to mend',
  async name => {
    error = name
    expect(await decryptForProvider()).toBeNull()
    expect(logged).toEqual([])
  },
)

test.each(['KMSInternalException', 'DependencyTimeoutException', 'ThrottlingException'])(
  'a key that KMS answers by %s may be used a moment later',
  async name => {
    error = name
    for (const call of [...Object.values(calls), decryptForProvider, () => publishedKeys([id()], deps).listUsable()]) {
      await expect(call()).rejects.toMatchObject({ code: 'unavailable' })
    }
    expect(logged).toEqual([])
  },
)
