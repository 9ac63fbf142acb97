import { EventEmitter } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { startDynalite } from './start-dynalite.ts'

export interface TablesRequest {
  number: number
  headers: Record<string, string>
  body: string
}
export interface TablesReply {
  number: number
  status: number
  headers: Record<string, string>
  body: string
}

/** dynalite in its own thread, without a socket. Unexpected input makes it throw, which must neither end the system nor lose data. */
const { server } = startDynalite(workerData.path === null ? {} : { path: workerData.path })

parentPort?.on('message', ({ number, headers, body }: TablesRequest) => {
  const request = Object.assign(new EventEmitter(), { method: 'POST', url: '/', headers })
  const reply: TablesReply = { number, status: 200, headers: {}, body: '' }
  const response = {
    statusCode: 200,
    setHeader: (name: string, value: unknown) => {
      reply.headers[name.toLowerCase()] = String(value)
    },
    end(text: string) {
      parentPort?.postMessage({ ...reply, status: this.statusCode, body: text ?? '' })
    },
  }
  server.emit('request', request, response)
  request.emit('data', Buffer.from(body))
  request.emit('end')
})
