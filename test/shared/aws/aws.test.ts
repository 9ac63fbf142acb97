import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { clientConfig } from '../../../shared/aws/aws.ts'

/** The example of AWS's documentation (IAM, "Create a signed AWS API request"): IAM's ListUsers on 30 August 2015. */
const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const scope = ['20150830', 'us-east-1', 'iam', 'aws4_request']
const canonicalRequest = `GET
/
Action=ListUsers&Version=2010-05-08
content-type:application/x-www-form-urlencoded; charset=utf-8
host:iam.amazonaws.com
x-amz-date:20150830T123600Z

content-type;host;x-amz-date
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855`

async function digest(data: string, key?: string | Uint8Array): Promise<Uint8Array> {
  const hash = new clientConfig.sha256(key)
  hash.update(Buffer.from(data))
  return hash.digest()
}

test("what signs requests to AWS gives the signature of AWS's own example", async () => {
  const hashed = Buffer.from(await digest(canonicalRequest)).toString('hex')
  const toSign = ['AWS4-HMAC-SHA256', '20150830T123600Z', scope.join('/'), hashed].join('\n')
  let key: string | Uint8Array = `AWS4${secret}`
  for (const part of scope) key = await digest(part, key)
  expect(Buffer.from(await digest(toSign, key)).toString('hex')).toBe(
    '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7',
  )
})

test.each([
  ['in pieces is read whole', ['{"Item"', ':{', '}}']],
  ['without a body is empty', []],
])('an answer of AWS %s', async (_, pieces) => {
  const answer = new PassThrough()
  const read = clientConfig.streamCollector(answer)
  for (const piece of pieces) answer.write(piece)
  answer.end()
  expect(Buffer.from(await read).toString()).toBe(pieces.join(''))
})

test('an answer of AWS that breaks off is an error, and retried', async () => {
  const answer = new PassThrough()
  const read = clientConfig.streamCollector(answer)
  answer.write('{"Item"')
  answer.destroy(new Error('aborted'))
  await expect(read).rejects.toThrow('aborted')
})
