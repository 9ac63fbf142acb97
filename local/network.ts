import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { InUseError, StartError } from './start-error.ts'

/**
 * Makes a server listen.
 *
 * @param port 0 for any free port
 * @param setting the name of the port's setting, for errors
 * @returns the port
 * @throws {StartError}
 */
export async function listen(server: Server, host: string, port = 0, setting = ''): Promise<number> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new InUseError([`${setting} ${port}`])
    if (code === 'EACCES') throw new StartError(`port ${port} needs root; set ${setting} to 1024 or higher`)
    throw new StartError(`cannot listen on HOST ${host}: ${message}`)
  }
  return (server.address() as AddressInfo).port
}

/** A percent-encoded text, decoded; null if it is malformed. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Closes a server and all its connections at once, even in the middle of a request. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve))
  server.closeAllConnections()
  await closed
}
