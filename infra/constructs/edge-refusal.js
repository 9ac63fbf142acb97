function handler() {
  return {
    statusCode: 404,
    statusDescription: 'Not Found',
    headers: {
      'content-type': { value: 'application/problem+json' },
      'cache-control': { value: 'no-store' },
      'content-security-policy': { value: "default-src 'none'; frame-ancestors 'none'" },
      'referrer-policy': { value: 'no-referrer' },
      'x-content-type-options': { value: 'nosniff' },
      'strict-transport-security': { value: 'max-age=31536000; includeSubDomains' }
    },
    body: {
      encoding: 'text',
      data: JSON.stringify({
        type: 'about:blank',
        title: 'Not Found',
        status: 404,
        detail: 'Only the catalogue is here: GET /catalogue lists what there is.',
        code: 'not-found'
      })
    }
  }
}
