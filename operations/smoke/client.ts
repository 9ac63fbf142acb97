import { Unexpected } from './report.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** What the text is as JSON, or null. */
  json: Record<string, unknown> | null
}

export interface Asked {
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
}

/** Milliseconds: API Gateway gives up after 30 s. */
const patience = 35_000

/** A client that sees answers as they come over the wire: it follows no redirect and hides no header. */
export class Client {
  readonly baseUrl: string
  /** Every answer so far. */
  readonly answers: { method: string; path: string; answer: Answer }[] = []

  /** @param baseUrl without a slash at its end */
  constructor(baseUrl: string) {
    this.baseUrl = baseUrl
  }

  async ask(method: string, path: string, { headers, body }: Asked = {}): Promise<Answer> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patience),
    })
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, text, json: asJson(text) }
    this.answers.push({ method, path, answer })
    return answer
  }

  /** @throws {Unexpected} when the status is another */
  async expect(status: number, method: string, path: string, asked: Asked = {}): Promise<Answer> {
    const answer = await this.ask(method, path, asked)
    if (answer.status !== status) {
      throw new Unexpected(`${status} to ${method} ${path}`, `${answer.status} ${answer.text.slice(0, 200)}`)
    }
    return answer
  }
}

function asJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
