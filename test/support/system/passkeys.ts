import { authenticator } from '../service/authenticator.ts'
import { mailedToken, type RunningSystem } from './running.ts'

/** Somebody who is logged in. */
interface Owner {
  email: string
  password: string
  newEmail: string
  accessToken: string
}

/** Adds a passkey over HTTP to a newly registered account, like a page of the API's own origin. */
export async function addPasskey(running: RunningSystem, owner: Owner) {
  const device = authenticator({ origin: new URL(running.system.baseUrl).origin })
  const ask = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${owner.accessToken}` }
    return (await running.send('POST', `/auth/${path}`, body, headers)).body
  }
  const make = async () => device.create(await ask('passkeys/setup', { password: owner.password }))
  await ask('verify-email', { token: await mailedToken(running, owner, 'verification') })
  const { id } = await ask('passkeys/confirm', { credential: await make(), label: 'Phone' })
  return {
    id: id as string,
    device,
    /** A further passkey, made with the options of a setup. */
    make,
    /** The device's assertion at a login. */
    logIn: async () => device.get(await ask('passkeys/login-options')),
  }
}
