import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from './start-error.ts'

/**
 * Has a server listen.
 *
 * @param port 0: any that is free
 * @param setting which the port came from
 * @returns the port
 * @throws {StartError}
 */
export async function listen(server: Server, host: string, port = 0, setting = ''): Promise<number> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new StartError(`port ${port} is in use; set ${setting} to another one`)
    if (code === 'EACCES') throw new StartError(`port ${port} may not be used; set ${setting} to one from 1024 on`)
    throw new StartError(`HOST ${host} cannot be listened on: ${message}`)
  }
  return (server.address() as AddressInfo).port
}

/** Ends a server with all its connections, whatever they are in the middle of. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise(resolve => server.close(resolve))
  server.closeAllConnections()
  await closed
}
