/** Measures section by section, and prints figures and their targets: `npm run bench`, or `npm run bench -- warm load`. */

const sections = ['cold-start', 'warm', 'price', 'load', 'enumeration', 'catalogue', 'explorer']

const requested = process.argv.slice(2)
const unknown = requested.filter(name => !sections.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown section: ${unknown.join(', ')}. The sections are ${sections.join(', ')}.`)
  process.exit(1)
}
for (const section of requested.length > 0 ? requested : sections) await import(`./${section}.ts`)
