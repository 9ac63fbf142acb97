import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Debian's Firefox, or the one that `FIREFOX_PATH` names. */
const firefoxPath = process.env.FIREFOX_PATH || '/usr/bin/firefox-esr'

export const firefoxIsThere = (): boolean => existsSync(firefoxPath)

/** A tab of Firefox. Playwright drives only its own build; this speaks WebDriver BiDi, which every Firefox understands. */
export interface Firefox extends AsyncDisposable {
  goTo(url: string): Promise<void>
  reload(): Promise<void>
  /** The value of an expression in the page; a promise's after it settles. */
  evaluate<T>(expression: string): Promise<T>
  /** Runs a function at the start of each page that is opened. */
  preload(source: string): Promise<void>
  /** Types keys into the focused element. `\uE006` is Enter (WebDriver, "Keyboard actions"). */
  type(text: string): Promise<void>
}

export async function launchFirefox(): Promise<Firefox> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'))
  const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank']
  const child = spawn(firefoxPath, options, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  const socket = await connect(child.stderr)
  const waiting = new Map<number, (answer: { result: never; message?: string }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data))
    waiting.get(answer.id)?.(answer)
  })
  let last = 0
  async function send<T>(method: string, params: object = {}): Promise<T> {
    const id = ++last
    const answered = new Promise<{ result: T; message?: string }>(resolve => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { result, message } = await answered
    if (message !== undefined) throw new Error(`${method}: ${message}`)
    return result
  }

  await send('session.new', { capabilities: {} })
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree')
  const context = contexts[0]?.context
  return {
    goTo: url => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    reload: () => send('browsingContext.reload', { context, wait: 'complete' }),
    async evaluate(expression) {
      const given = { expression: `Promise.resolve(${expression}).then(JSON.stringify)`, target: { context } }
      const { result, exceptionDetails } = await send<{
        result: { value?: string }
        exceptionDetails?: { text: string }
      }>('script.evaluate', { ...given, awaitPromise: true })
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return result.value === undefined ? undefined : JSON.parse(result.value)
    },
    preload: source => send('script.addPreloadScript', { functionDeclaration: source }),
    type: text => {
      const strokes = [...text].flatMap(value => ['keyDown', 'keyUp'].map(type => ({ type, value })))
      return send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions: strokes }] })
    },
    async [Symbol.asyncDispose]() {
      socket.close()
      child.kill()
      await ended
    },
  }
}

/** Connects to the address that Firefox prints. */
async function connect(output: NodeJS.ReadableStream): Promise<WebSocket> {
  for await (const line of createInterface(output)) {
    const [, url] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
    if (url === undefined) continue
    output.resume()
    const socket = new WebSocket(`${url}/session`)
    await once(socket as unknown as EventTarget & NodeJS.EventEmitter, 'open')
    return socket
  }
  throw new Error('Firefox has ended before it said where it listens')
}
