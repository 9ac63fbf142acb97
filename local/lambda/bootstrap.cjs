'use strict'

/**
 * Runs in an execution environment: the loop of Lambda's runtime around one handler (AWS Lambda, "Using the Lambda runtime
 * API"). CommonJS, because an ES module that imports node:http also loads undici (nodejs/node#59686).
 */

const http = require('node:http')
const { join } = require('node:path')
const { format } = require('node:util')
const { setAhead } = require('../clock/date.cjs')

const { env } = process
// Before the handler's modules, which may read the time. They do not see the variable.
setAhead(Number(env.CLOCK_AHEAD))
delete env.CLOCK_AHEAD
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
let requestId = '-'

/** Calls the Runtime API. If it does not answer, the system has stopped, and this process exits too. */
const call = (method, path, body) =>
  new Promise(resolve => {
    const gone = () => process.exit()
    const url = `http://${env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/${path}`
    const request = http.request(url, { method, agent }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
      })
      response.on('error', gone)
      response.on('end', () => resolve({ headers: response.headers, text }))
    })
    request.on('error', gone)
    request.end(body)
  })

const describe = error => ({
  errorType: error.constructor?.name ?? 'UnknownError',
  errorMessage: error.message,
  stackTrace: error.stack?.split('\n'),
})
const withErrors = (_, value) => (value instanceof Error ? { ...describe(value), ...value } : value)

/**
 * Lambda's JSON log format (AWS Lambda, "Working with JSON structured logs"), exactly as AWS's runtime client writes it.
 * DEBUG and TRACE are off by default.
 */
const log =
  level =>
  (message, ...values) => {
    const error = values.find(value => value instanceof Error)
    const line = {
      timestamp: new Date().toISOString(),
      level,
      requestId,
      message: values.length === 0 ? message : format(message, ...values),
      ...(error && describe(error)),
    }
    process.stdout.write(`${JSON.stringify(line, withErrors)}\n`)
  }
Object.assign(console, {
  trace: () => {},
  debug: () => {},
  log: log('INFO'),
  info: log('INFO'),
  warn: log('WARN'),
  error: log('ERROR'),
})

const contextOf = headers => ({
  functionName: env.AWS_LAMBDA_FUNCTION_NAME,
  functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
  invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
  memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  awsRequestId: requestId,
  logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
  logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
  clientContext: undefined,
  identity: undefined,
  getRemainingTimeInMillis: () => Math.max(0, Number(headers['lambda-runtime-deadline-ms']) - Date.now()),
})

const loadHandler = () => {
  const [file, name] = env._HANDLER.split('.')
  const { [name]: handler } = require(join(env.LAMBDA_TASK_ROOT, `${file}.cjs`))
  if (typeof handler !== 'function') throw new Error(`${env._HANDLER} is not a function`)
  return handler
}

/** Logs what was thrown. @returns the body for the Runtime API */
const logThrown = thrown => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  console.error(error)
  const { errorType, errorMessage, stackTrace: trace } = describe(error)
  return JSON.stringify({ errorType, errorMessage, trace })
}

const run = async () => {
  let handler
  try {
    handler = loadHandler()
  } catch (error) {
    await call('POST', 'init/error', logThrown(error))
    process.exit(1)
  }
  for (;;) {
    const { headers, text } = await call('GET', 'invocation/next')
    requestId = headers['lambda-runtime-aws-request-id']
    setAhead(Number(headers['clock-ahead']))
    try {
      const answer = await handler(JSON.parse(text), contextOf(headers))
      await call('POST', `invocation/${requestId}/response`, JSON.stringify(answer) ?? 'null')
    } catch (error) {
      await call('POST', `invocation/${requestId}/error`, logThrown(error))
    }
  }
}

run()
