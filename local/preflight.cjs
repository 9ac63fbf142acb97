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

/** Whether a range such as `^22.12.0 || >=26.0.0` holds this Node's version. */
function isWithin(range) {
  var own = numbers(process.versions.node)
  return range.split('||').some(part => {
    var least = numbers(part)
    var isSameMajor = own[0] === least[0]
    var isLater = isSameMajor ? own[1] > least[1] || (own[1] === least[1] && own[2] >= least[2]) : own[0] > least[0]
    return isLater && (isSameMajor || part.indexOf('>=') !== -1)
  })
}

function numbers(version) {
  return version.match(/\d+/g).map(Number)
}

function missingPackages() {
  return Object.keys(Object.assign({}, project.dependencies, project.devDependencies)).filter(
    name => !fs.existsSync(path.join(root, 'node_modules', name, 'package.json')),
  )
}

function complaint() {
  var node = 'Gatehouse needs Node ' + needed + ', and this is Node ' + process.versions.node
  if (!isWithin(project.engines.node)) return node + ': install Node ' + needed + ', then run `npm ci` in ' + root + '.'
  var missing = missingPackages()
  if (missing.length > 0) return missing[0] + ' is not installed: run `npm ci` in ' + root + '.'
  if (numbers(process.versions.node)[0] < needed) return node + ': install Node ' + needed + '.'
  return null
}

var reason = complaint()
if (reason !== null) {
  console.error(reason)
  process.exit(1)
}
