// What the edge answers to every path that is not the catalogue's: the same problem document as the API's own 404.

/** The code of a CloudFront function (runtime 2.0) at the viewer's request. */
export const edgeRefusal = `function handler() {
  return {
    statusCode: 404,
    statusDescription: 'Not Found',
    headers: {
      'content-type': { value: 'application/problem+json' },
      'cache-control': { value: 'no-store' },
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
`
