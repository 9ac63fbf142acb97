import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { InUseError, StartError } from './start-error.ts'

/** The open connections of each server that listens, also before a handshake of TLS: those are none of HTTP's yet. */
const connections = new WeakMap<Server, Set<Socket>>()

/**
 * Makes a server listen.
 *
 * @param port 0 for any free port
 * @param setting the name of the port's setting, for errors
 * @returns the port
 * @throws {StartError}
 */
export async function listen(server: Server, host: string, port = 0, setting = ''): Promise<number> {
  const open = new Set<Socket>()
  connections.set(server, open)
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new InUseError([`${setting} ${port}`])
    if (code === 'EACCES') throw new StartError(`port ${port} needs root; set ${setting} to 1024 or higher`)
    throw new StartError(`cannot listen on HOST ${host}: ${message}; set HOST to an address of this machine`)
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
  for (const socket of connections.get(server) ?? []) socket.destroy()
  await closed
}
