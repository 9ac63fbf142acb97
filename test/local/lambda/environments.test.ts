import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../../support/system/is-alive.ts'
import { observe, observeOnce, smallStack, until } from '../../support/system/small-stack.ts'

/** The number of environments, and when they end. */

test('when all places are taken, the environment that has been idle longest is stopped', async () => {
  const labels = Array.from({ length: 16 }, (_, i) => `f${String.fromCharCode(97 + i)}`)
  const source = 'exports.handler = async () => process.pid'
  const stack = await observeOnce(
    smallStack(Object.fromEntries(labels.map(label => [label, { source, on: [`GET /${label}`] }]))),
  )
  for (const label of labels) expect((await fetch(`${stack.baseUrl}/${label}`)).status).toBe(200)
  const left = stack.environments.map(({ caller }) => caller)
  expect(left.length).toBeLessThan(labels.length)
  expect(left).toEqual(labels.slice(-left.length))
})

test('a request that waits for a place is served once another function’s environment idles', async () => {
  const labels = Array.from({ length: 16 }, (_, i) => `f${String.fromCharCode(97 + i)}`)
  const source = 'exports.handler = () => new Promise(resolve => setTimeout(resolve, 200, {}))'
  const functions = Object.fromEntries(labels.map(label => [label, { source, on: [`GET /${label}`] }]))
  const stack = await observeOnce(smallStack(functions))
  const answers = await Promise.all(labels.map(label => fetch(`${stack.baseUrl}/${label}`)))
  expect(answers.map(({ status }) => status)).toEqual(labels.map(() => 200))
})

test('replaced code serves the next request, and the running one ends with its own', async () => {
  const code = (text: string) => `exports.handler = async ({ rawQueryString }) => {
    if (rawQueryString) await new Promise(resolve => setTimeout(resolve, 300, console.info('begun')))
    return '${text}'
  }`
  const after = smallStack({ one: { source: code('after') } })
  const stack = await observeOnce(smallStack({ one: { source: code('before'), on: ['$default'] } }))
  const get = async (query = '') => (await fetch(`${stack.baseUrl}/${query}`)).text()
  const slow = get('?slow')
  await until(() => stack.lines.some(({ line }) => line.includes('begun')))
  const busy = stack.environments.map(({ pid }) => pid)
  expect(await get()).toBe('before')
  stack.replaceCode('one', join(after.directory, 'asset.one'))
  expect(await get()).toBe('after')
  expect(await slow).toBe('before')
  await until(() => !busy.some(isAlive))
  expect(await get()).toBe('after')
})

test('a function that a debugger may attach to waits, and has no time-out', async () => {
  const source = `exports.handler = (_, context) =>
    new Promise(resolve => setTimeout(resolve, 1200, context.getRemainingTimeInMillis() > 60_000))`
  const stack = await observeOnce(smallStack({ one: { source, on: ['$default'], timeout: 1 } }), { inspect: 'one' })
  await until(() =>
    stack.lines.some(
      ({ line }) => /inspector/i.test(line) || /^Debugger listening on ws:\/\/127\.0\.0\.1:9229\//.test(line),
    ),
  )
  expect(await (await fetch(stack.baseUrl)).text()).toBe('true')
})

test('stopping ends every process', async () => {
  const source = 'exports.handler = () => { for (;;); }'
  const stack = await observe(smallStack({ stuck: { source, on: ['$default'], timeout: 60 } }))
  const answer = fetch(stack.baseUrl).catch(() => null)
  const { pid } = await until(() => stack.environments.find(({ state }) => state === 'busy'))
  await stack.stop()
  expect(isAlive(pid)).toBe(false)
  expect(await answer).toBeNull()
})

/** A system of its own, which prints its functions' logs. */
const alone = `
  const { runStack } = await import(process.env.SYSTEM)
  const { readSettings } = await import(process.env.SETTINGS)
  const { baseUrl } = await runStack({
    settings: readSettings({}),
    port: 0,
    inboxPort: 0,
    host: '127.0.0.1',
    dataDirectory: null,
    assembly: JSON.parse(process.env.ASSEMBLY),
    observer: { logged: ({ line }) => console.log(line) },
  })
  fetch(baseUrl)`

test('killing the system ends a function that is in the middle of a computation', async () => {
  const source = 'exports.handler = () => { console.info(process.pid); for (;;); }'
  const assembly = smallStack({ stuck: { source, on: ['$default'], timeout: 60 } })
  const { href: SYSTEM } = new URL('../../../local/system.ts', import.meta.url)
  const { href: SETTINGS } = new URL('../../../infra/settings/settings.ts', import.meta.url)
  const env = { SYSTEM, SETTINGS, ASSEMBLY: JSON.stringify(assembly) }
  const system = spawn(process.execPath, ['--input-type=module', '-e', alone], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void system.kill('SIGKILL'))
  const [line] = await once(system.stdout, 'data')
  const { message: pid } = JSON.parse(line)
  expect(isAlive(pid)).toBe(true)
  system.kill('SIGKILL')
  await until(() => !isAlive(pid))
})
