/** A call of an operation by a generated client. */
export interface Call {
  /** The `operationId`. */
  id: string
  method: string
  path: string
  /** The shape of the body, and the body. */
  body: { shape: string; value: unknown } | null
  /** The shape of the answer. */
  reply: string
  token: string | null
}

type Command = readonly [string, ...string[]]

/** How a client is generated and tried, in a folder with the document as `openapi.json`. */
export interface Generator {
  name: string
  version: string
  /** Advice for its users. */
  advice?: string
  /** Why it cannot run here; null when everything is installed in the pinned version. */
  missing(): Promise<string | null>
  /** Makes the client. */
  generate: Command
  /**
   * A program with the calls, to the address in `GATEHOUSE_URL`. It prints a line of JSON for each: `id`, `status` and
   * `answer`, the client's reading of the body.
   */
  files(calls: Call[]): Record<string, string>
  /** They compile and run it; the last one prints. */
  commands: readonly Command[]
}

/** Quoted text, in a form that JSON, Python, Java and Go share. */
export const quoted = (text: string): string => JSON.stringify(text)

/** A body as a text in quotes. */
export const bodyText = ({ body }: Call): string => quoted(JSON.stringify(body?.value))

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
export const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
/** `changePassword`: change_password. */
export const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
