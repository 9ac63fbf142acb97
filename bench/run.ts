/** Measures, section by section, and prints figures beside their targets: `npm run bench`, or with names of sections. */

const sections = ['cold-start', 'warm', 'price', 'load', 'enumeration', 'catalogue']

const asked = process.argv.slice(2)
const unknown = asked.filter(name => !sections.includes(name))
if (unknown.length > 0) {
  console.error(`There is no section ${unknown.join(', ')}; there are ${sections.join(', ')}.`)
  process.exit(1)
}
for (const section of asked.length > 0 ? asked : sections) await import(`./${section}.ts`)
