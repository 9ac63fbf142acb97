import { describe, expect, test } from 'vitest'
import { Checklist } from '../../../operations/command-line/checklist.ts'
import { checkCloudFront } from '../../../operations/smoke/catalogue-checks.ts'
import { Client } from '../../../operations/smoke/client.ts'
import { serveOnce } from './proxy.ts'

describe('what only CloudFront does', () => {
  const check = async (answer: (path: string, count: number) => [status: number, xCache: string]) => {
    let count = 0
    const url = await serveOnce((request, response) => {
      const [status, xCache] = answer(request.url ?? '', ++count)
      response.writeHead(status, { 'x-cache': xCache }).end()
    })
    const lines: string[] = []
    await checkCloudFront(new Checklist(line => lines.push(line)), new Client(url))
    return lines
  }

  test('is a cache that fills, a 404 outside the catalogue, and no answer without TLS', async () => {
    const lines = await check((path, count) => [
      path.startsWith('/auth') ? 404 : count > 3 ? 301 : 200,
      count > 1 ? 'Hit from cloudfront' : 'Miss from cloudfront',
    ])
    expect(lines).toEqual([
      'ok    CloudFront answers from its cache',
      'ok    CloudFront does not serve the account service',
      'ok    CloudFront serves nothing without TLS',
    ])
  })

  test('fails without CloudFront', async () => {
    expect(await check(() => [200, 'Miss from cloudfront'])).toEqual([
      'FAIL  CloudFront answers from its cache: expected a hit in X-Cache within 8 requests, got Miss from cloudfront',
      expect.stringContaining('FAIL  CloudFront does not serve the account service: expected 404'),
      'FAIL  CloudFront serves nothing without TLS: expected 301, 308 or 403, got 200',
    ])
  })
})
