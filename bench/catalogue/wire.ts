import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { brotliCompressSync } from 'node:zlib'
import type { Figure } from '../measure/figures.ts'
import {
  allParaminfo,
  description,
  everything,
  facade,
  handler,
  longestList,
  oneParaminfo,
  request,
} from './handlers.ts'

/** Bytes of answers, and of answers that send nothing again. */
export async function measureWire(): Promise<Figure[]> {
  return [
    await measureAnswer('/catalogue'),
    await measureAnswer(everything),
    await measureAnswer('/catalogue/modules'),
    await measureAnswer('/catalogue/modules', 'expand=parameters'),
    await measureAnswer('/catalogue/modules', 'group=prop&expand=parameters'),
    await measureAnswer('/catalogue/modules', 'q=sha1', 1.25),
    await measureAnswer('/catalogue/modules', longestList, 1.25),
    await measureAnswer('/catalogue/modules/query+allpages'),
    await measureAnswer('/catalogue/modules/query+allpages/parameters/namespace'),
    await measureAnswer('/catalogue/modules/query+allpages/schema'),
    await measureAnswer('/catalogue/export/query-modules.schema.json'),
    await measureAnswer('/catalogue/export/query-modules.d.ts'),
    await measureAnswer(facade, oneParaminfo, 1.25),
    await measureAnswer(facade, allParaminfo, 1.25),
    await measureAnswer(description),
    await measureNotModified('/catalogue'),
    await measureNotModified('/catalogue/modules', 'q=sha1&expand=parameters'),
  ]
}

/** Bytes of an answer over those of its JSON in brotli 11. A list that is not prebuilt is compressed with less effort. */
async function measureAnswer(path: string, query = '', target = 1.03): Promise<Figure> {
  const { body } = await handler(request(path, query, {}))
  const { headers } = await handler(request(path, query))
  const bytes = Number(headers['content-length'])
  const figure = bytes / brotliCompressSync(body).length
  return {
    what: `${path}${query && `?${query}`}: ${bytes} B of ${body.length}`,
    figure,
    unit: 'x brotli 11',
    target,
  }
}

/** All bytes that a client receives for a 304, including the status line and the fields that Node adds. */
async function measureNotModified(path: string, query = ''): Promise<Figure> {
  const { headers } = await handler(request(path, query))
  const server = createServer(async (_, response) => {
    const answer = await handler(request(path, query, { 'if-none-match': headers.etag ?? '' }))
    response.writeHead(answer.statusCode, answer.headers).end(answer.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const received = await new Promise<Buffer>(resolve => socket.once('data', resolve))
  socket.destroy()
  server.close()
  if (!received.toString().startsWith('HTTP/1.1 304')) throw new Error(received.toString())
  return { what: `304 of ${path}${query && `?${query}`}`, figure: received.length, unit: 'B', target: 300 }
}
