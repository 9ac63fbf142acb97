'use strict'

/** Calls a function for the first time: prints the milliseconds of CPU since the start of the process, and the status. */

const [file, event] = process.argv.slice(2)
const context = { getRemainingTimeInMillis: () => 10_000 }
console.info = () => {}
// Lambda's runtime opens its streams before it loads a function. Metrics are written without the console.
const write = process.stdout.write.bind(process.stdout)
process.stdout.write = () => true

require(file)
  .handler(JSON.parse(event), context)
  .then(answer => {
    const { user, system } = process.cpuUsage()
    write(JSON.stringify({ cpu: (user + system) / 1000, status: answer.statusCode ?? answer }), () => process.exit())
  })
