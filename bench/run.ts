/**
 * Measures section by section, and prints figures and their targets: `npm run bench`, or `npm run bench -- warm explorer`. With
 * `--save` the section cold-start also writes its table to `bench/cold-start.md`, which `npm run docs` puts into the document.
 */

import { bundle } from '../infra/build/bundle.ts'

const sections = ['cold-start', 'warm', 'enumeration', 'catalogue', 'explorer']

const requested = process.argv.slice(2).filter(word => word !== '--save')
const unknown = requested.filter(name => !sections.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown section: ${unknown.join(', ')}. The sections are ${sections.join(', ')}.`)
  process.exit(1)
}
// The sections read the bundles.
await bundle()
for (const section of requested.length > 0 ? requested : sections) await import(`./${section}.ts`)
