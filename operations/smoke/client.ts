import { Unexpected } from '../command-line/checklist.ts'

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The text parsed as JSON, or null. */
  json: Record<string, unknown> | null
}

interface RequestOptions {
  headers?: Record<string, string>
  /** Sent as JSON. */
  body?: unknown
}

/** Milliseconds. API Gateway's own timeout is 30 s. */
const timeout = 35_000

/** Shows answers as sent: it follows no redirect and hides no header field. */
export class Client {
  readonly baseUrl: string
  /** Every answer so far. */
  readonly answers: { method: string; path: string; answer: Answer }[] = []

  /** @param baseUrl without a trailing slash */
  constructor(baseUrl: string) {
    this.baseUrl = baseUrl
  }

  async ask(method: string, path: string, { headers, body }: RequestOptions = {}): Promise<Answer> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeout),
    })
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, text, json: asJson(text) }
    this.answers.push({ method, path, answer })
    return answer
  }

  /** @throws {Unexpected} on another status */
  async expect(status: number, method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const answer = await this.ask(method, path, options)
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
