import { serve, type WebServer } from '../support/web-server.ts'

/** A provider that asks nothing, and returns people as a test tells it. */
export interface LeadingBack extends WebServer {
  /** The parameters of its received requests. */
  asked: URLSearchParams[]
  /** Its answer beside the state, which a test may change too. */
  answer: Record<string, string>
}

/** Starts one. It answers by a query, or by a posted form if asked to. */
export async function leadBack(): Promise<LeadingBack> {
  const server = await serve((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://provider').searchParams
    const to = asked.get('redirect_uri')
    if (to === null) return response.writeHead(404).end()
    provider.asked.push(asked)
    const answered = { state: asked.get('state') ?? '', ...provider.answer }
    if (asked.get('response_mode') !== 'form_post') {
      return response.writeHead(302, { location: `${to}?${new URLSearchParams(answered)}` }).end()
    }
    const fields = Object.entries(answered).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}" />`,
    )
    const page = `<form method="post" action="${to}">${fields.join('')}</form><script>document.forms[0].submit()</script>`
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  })
  const provider: LeadingBack = {
    ...server,
    asked: [],
    answer: { code: 'the-code', iss: 'https://accounts.example.com' },
  }
  return provider
}
