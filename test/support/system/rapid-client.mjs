import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * The three calls of the native part of AWS's runtime client, over one socket, so that they stay in order. In JavaScript, because
 * each of sixty processes would spend 50 ms on types.
 */

const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** @returns {Promise<{ bodyJson: string, headers: object }>} */
const call = (method, path, body, headers = {}) =>
  new Promise(resolve => {
    const sent = request(`${api}/${path}`, { method, agent, headers }, async response =>
      resolve({ bodyJson: await text(response), headers: response.headers }),
    )
    // The system has ended, so this process ends too.
    sent.on('error', () => process.exit())
    sent.end(body)
  })

export const next = () => call('GET', 'next')
export const done = (id, answer) => void call('POST', `${id}/response`, answer)
export const error = (id, thrown, cause) =>
  void call('POST', `${id}/error`, thrown, { 'lambda-runtime-function-xray-error-cause': cause })
