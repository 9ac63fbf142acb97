// Serves this folder while you develop; in production your web server sends the same headers.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const files = { '/app.js': 'text/javascript', '/app.css': 'text/css' }

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost')
  const isFile = Object.hasOwn(files, pathname)
  // Every other path is the page: it finds out itself which one was asked for.
  const body = await readFile(new URL(isFile ? `.${pathname}` : 'index.html', import.meta.url))
  response.writeHead(200, {
    'Content-Type': isFile ? files[pathname] : 'text/html; charset=utf-8',
    'Content-Security-Policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src http://localhost:3000; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    // The token of a mailed link must not reach another site.
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(body)
})
server.listen(process.env.PORT ?? 5173, 'localhost', () => console.log(`http://localhost:${server.address().port}`))
